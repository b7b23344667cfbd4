// Eigenvalues and eigenvectors of real symmetric matrices, in double: Householder's reduction to
// three diagonals, then QL with implicit shifts (Martin, Reinsch & Wilkinson 1968; the form of
// EISPACK's tred2 and tql2). O(n^3).
#pragma once

#include <cstdint>

namespace posenc::kernels {

// matrix [n, n], symmetric, becomes the eigenvectors, one per row, of length 1; values [n] rise.
// `scratch` holds n doubles. False where it did not converge, which finite numbers have never been
// seen to do.
bool symmetric_eigen(double* matrix, int64_t n, double* values, double* scratch) noexcept;

}  // namespace posenc::kernels
