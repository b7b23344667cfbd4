// Eigenvalues and eigenvectors of symmetric matrices: Householder's reduction to three diagonals, then the QL method with
// implicit shifts (Bowdler, Martin, Reinsch & Wilkinson 1968; the routines tred2 and tql2 of EISPACK). About 9·n³
// operations, in double.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// matrix [n, n], symmetric → its eigenvectors as columns, by ascending eigenvalue. `spare` has n doubles. False where
// the iteration does not end, which takes a matrix that is not finite.
bool symmetric_eigen(double* matrix, int64_t n, double* eigenvalues, double* spare) noexcept;

}  // namespace posenc::kernels
