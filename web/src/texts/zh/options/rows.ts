// What the catalogue says of options of encodings that give rows, and of several families.
export const rows: Readonly<Record<string, string>> = {
  'base of the frequencies': '频率的基数',
  'whether attention multiplies the biases of each query by a gate, and what the gate reads: the query itself, or the layer\'s input split into heads (WavLM)':
    '注意力是否给每个查询的偏置乘一个门，以及门读什么：query 读查询本身，input 读按头分开的层输入（WavLM）',
  'width of a head, which the gate reads': '门所读的一个头的宽度',
  'outputs of the gate\'s linear layer, each half of which is summed': '门的线性层的输出个数，各一半相加',
  'width d of a row': '一行的宽度 d',
  'base of the frequencies; larger makes the slow pairs slower': '频率的基数；越大，慢的对越慢',
  'sin, cos, sin, cos, ... (interleaved) or all sines and then all cosines (concat)':
    'sin、cos 交替（interleaved），或先全部正弦再全部余弦（concat）',
  '2i/d as in the paper, or i/max(d/2 - 1, 1) as in tensor2tensor and fairseq':
    '2i/d 如论文，或 i/max(d/2 - 1, 1) 如 tensor2tensor 和 fairseq',
  'what the odd column of an odd width holds: one more sine, or zeros (tensor2tensor, fairseq)':
    '宽度为奇数时多出的一列放什么：再一个正弦，或零（tensor2tensor、fairseq）',
  'multiply the embeddings by sqrt(d) before the rows are added': '加上各行之前，把词嵌入乘以 sqrt(d)',
  'the position whose row is zero, as fairseq marks padding': '这个位置的行为零，fairseq 用它标记填充',
  'number of positions that have a row': '有行的位置个数',
  'rows in front of that of position 0 (2 in OPT, where padding at position -1 reads the second)':
    '位置 0 之前的行数（OPT 为 2，其中位置 -1 的填充读第二行）',
  'position of padding, whose row gets no gradient (1 in RoBERTa, where tokens count from 2)':
    '填充所在的位置，它的行没有梯度（RoBERTa 为 1，词元从 2 数起）',
  'what positions outside the table are: an error, the nearest position that has a row, or its remainder':
    '表以外的位置怎么办：报错，取最近的有行的位置，或取余数',
  'one table of all cells, one per axis, or one of cells and one of frames': '所有格一张表，每轴一张，或格与帧各一张',
  'rows of the trained grid': '训练网格的行数',
  'columns of the trained grid': '训练网格的列数',
  'trained frames': '训练的帧数',
  'rows of the grid that tokens come from': '词元所在网格的行数',
  'columns of the grid that tokens come from': '词元所在网格的列数',
  'frames that tokens come from': '词元的帧数',
  'tokens in front of the grid\'s: class and register tokens': '网格之前的词元：类别词元和寄存器词元',
  'whether prefix tokens have rows of their own, the first of the table; else they get zeros':
    '前缀词元是否有自己的行（表的最前几行）；否则为零',
  'which axis fills the first half of a row': '哪个轴占一行的前一半',
  'all frames of a patch follow one another (TimeSformer), or all patches of a frame':
    '一个图块的所有帧相连（TimeSformer），或一帧的所有图块相连',
  'the nearest row, a straight line between two, or a cubic through four (bicubic in two axes)':
    '最近的行，两行之间的直线，或过四行的三次曲线（两轴时为双三次）',
  'whether first and last rows stay where they are; else centres of cells are matched':
    '首行和末行是否保持不动；否则对齐各格的中心',
  'widen the kernel where the table shrinks, as DINOv2 does; linear and cubic only':
    '缩小时加宽核，如 DINOv2；只用于 linear 和 cubic',
  'added to the new size where the step is formed: 0.1 gives what DINO\'s code and ports of it compute':
    '计算步长时加到新尺寸上的数：0.1 与 DINO 的代码及其移植一致',
  'extents of the grid, 2 to 5 axes, the slowest first: [rows, cols] for p = row · cols + col':
    '网格各轴的长度，2 到 5 个轴，最慢的在前：[rows, cols] 对应 p = row · cols + col',
  'rows of the axes added, or laid side by side (Reformer)': '各轴的行相加，或并排（Reformer）',
  'width of each axis\'s table; side by side they sum to dim': '每个轴的表的宽度；并排时合计为 dim',
  'dim for a sum, equal parts of dim side by side': '相加时为 dim，并排时平分 dim',
  'positions behind the grid: an error, rows that all read the last of the first table, or its rows again':
    '网格之后的位置：报错，都读第一张表的最后一行，或重新从头',
  'places within a block; the longest block where they differ': '一个块内的位置数；各块不同时取最长的',
  'number of blocks': '块的个数',
  'as many as boundaries, or 64': '与边界同样多，或 64',
  'first position of each block: 0, then rising': '每个块的首位置：0，然后递增',
  'blocks of equal size': '等长的块',
  'the two vectors added, or side by side': '两个向量相加，或并排',
  'width of a block\'s vector': '块向量的宽度',
  'dim for a sum, half of it side by side': '相加时为 dim，并排时为一半',
  'width of a place\'s vector': '位置向量的宽度',
  'dim for a sum, the rest side by side': '相加时为 dim，并排时为其余',
  'number of segments or modalities': '段或模态的个数',
  'the six vectors added (LayoutLM), or side by side (LayoutLMv2 and v3)':
    '六个向量相加（LayoutLM），或并排（LayoutLMv2 和 v3）',
  'width of the vector of a corner\'s coordinate; side by side, 4 · coordinateSize + 2 · shapeSize is dim':
    '角坐标向量的宽度；并排时 4 · coordinateSize + 2 · shapeSize 等于 dim',
  'dim for a sum, what shapeSize leaves, or dim / 6': '相加时为 dim，否则为 shapeSize 剩下的，或 dim / 6',
  'width of the vectors of height and width': '高和宽的向量的宽度',
  'dim for a sum, else what coordinateSize leaves': '相加时为 dim，否则为 coordinateSize 剩下的',
  'rows of each table: coordinates and sizes go from 0 to maxPosition - 1':
    '每张表的行数：坐标和尺寸从 0 到 maxPosition - 1',
  'values outside the tables: an error, heights and widths clamped (LayoutLMv3), or all clamped':
    '表以外的值：报错，只截断高和宽（LayoutLMv3），或全部截断',
  'coordinates of a position': '一个位置的坐标个数',
  'lower end of the range: one number for all coordinates, or one for each': '范围的下端：所有坐标一个数，或各一个',
  'upper end of the range: one number for all coordinates, or one for each': '范围的上端：所有坐标一个数，或各一个',
  'what is projected: the coordinates themselves, or sines and cosines of them':
    '投影的是什么：坐标本身，或它们的正弦和余弦',
  'frequencies per coordinate, each twice the one before': '每个坐标的频率个数，每个是前一个的两倍',
  'coordinates outside the range: an error, or the nearest end': '范围以外的坐标：报错，或取最近的一端',
  'number L of positions that have a row': '有行的位置个数 L',
  'number r of rows of the basis': '基的行数 r',
  'rows of the dictionary': '词典的行数',
  'rows of the dictionary that each position mixes': '每个位置混合词典的几行',
  'coordinates of a position: 2 for images (row, column), 3 for volumes or video':
    '一个位置的坐标个数：图像为 2（行、列），体积或视频为 3',
  'base of the frequencies (DETR\'s temperature)': '频率的基数（DETR 的 temperature）',
  'within an axis sin, cos, sin, cos, ... (interleaved: DETR) or all sines, then all cosines (concat: MAE)':
    '一个轴之内 sin、cos 交替（interleaved：DETR），或先全部正弦再全部余弦（concat：MAE）',
  'which axis fills the first columns: the first (forward: DETR, rows) or the last (reversed: MAE, columns)':
    '哪个轴占最前的列：第一个（forward：DETR，行）或最后一个（reversed：MAE，列）',
  'columns of each axis, even numbers in the order of the axes that make dim or more; what is more is cut off':
    '每个轴的列数，按轴的顺序给偶数，合计不少于 dim；多出的截去',
  'equal': '相等',
  'powers of two per axis (nerf), a fixed random projection, or a trained one':
    '每轴二的幂（nerf），固定的随机投影，或训练所得的投影',
  'number F of frequencies: per axis for nerf, of projections else': '频率个数 F：nerf 为每轴，其余为投影数',
  'put the coordinates themselves in front': '把坐标本身放在前面',
  'frequencies from 1 to 2^maxLog2 in equal ratios or in equal steps': '频率从 1 到 2^maxLog2，按等比或等差',
  'logarithm of the largest frequency': '最大频率的对数',
  'multiply the frequencies by π, as formula (4) of the NeRF paper does and its code does not':
    '把频率乘以 π，如 NeRF 论文的公式 (4)，而其代码没有乘',
  'deviation of the projection\'s numbers: larger resolves finer detail (for learned, 1/γ of the paper)':
    '投影所用数的标准差：越大细节越精（learned 时为论文的 1/γ）',
  'cosines first as both papers write it, or sines first as the code of Tancik et al. does':
    '余弦在前如两篇论文所写，或正弦在前如 Tancik 等人的代码',
  'a trained network of one hidden layer on top of the features': '在特征之上加一个单隐层的可训练网络',
  'width of the network\'s hidden layer': '网络隐层的宽度',
  'width of a row with the network': '有网络时一行的宽度',
  'the network\'s activation': '网络的激活函数',
  'number of values of a digit': '一位数字有几种取值',
  'number of places K: radix^K positions have a row': '位数 K：radix^K 个位置有行',
  'plain digits, or the reflected Gray code, in which neighbours differ in one place':
    '普通数字，或反射格雷码，其中邻居只差一位',
  'whether digit 0 has a vector of its own in each place, or adds nothing':
    '数字 0 在每一位是否有自己的向量，还是什么也不加',
  'a network of one hidden layer on top of the sum': '在和之上加一个单隐层的网络',
  'width of the hidden layers': '隐层的宽度',
  'number of hidden layers': '隐层的个数',
  'between the layers': '层与层之间',
  'what coordinates are multiplied by first: about 1 over the largest keeps the network\'s inputs near 1':
    '坐标先乘以什么：大约为最大值的倒数，使网络的输入在 1 附近',
  'whether the network has gradients, or stays as it was drawn': '网络是否有梯度，还是保持初始的样子',
  'channels d of x and of a row': 'x 和一行的通道数 d',
  '1: a sequence; 2: a grid of rows and columns': '1：序列；2：行列网格',
  'extent of a filter along each axis; an even one reaches one further back than ahead':
    '滤波器沿每个轴的长度；偶数时往回比往前多伸一格',
  'groups of channels that are mixed, a divisor of dim (16 in wav2vec 2.0)':
    '一起混合的通道分成几组，是 dim 的因数（wav2vec 2.0 为 16）',
  'dim: one filter per channel': 'dim：每个通道一个滤波器',
  'after the convolution (gelu in wav2vec 2.0)': '卷积之后（wav2vec 2.0 为 gelu）',
  'beyond the edge: zeros, which is what carries position, or the other side, which shows that':
    '边缘之外：零，位置正由此而来；或取另一边，可看出这一点',
  'a number per channel added to the sum': '每个通道加到和上的一个数',
  'width d of a row and of the state': '一行和状态的宽度 d',
  'number of positions; their states are kept': '位置个数；它们的状态被保留',
  'gated recurrent unit, or plain tanh network': '门控循环单元，或普通 tanh 网络',
  'positions are from 0 to maxLength - 1; the states up to them are kept':
    '位置从 0 到 maxLength - 1；到那里为止的状态被保留',
  'width of the dynamics\' hidden layer': '动力学的隐层宽度',
  'of the dynamics\' hidden layer': '动力学的隐层的',
  'time from one position to the next (Δt in the paper)': '一个位置到下一个的时间（论文的 Δt）',
  'steps of the solver per position: more are more exact': '求解器每个位置的步数：越多越精确',
  'eigenvectors of a Laplacian (symmetric, randomWalk, plain), landing probabilities, or places in a tree':
    '拉普拉斯的特征向量（symmetric、randomWalk、plain），返回概率，或树中的处所',
  'number of nodes; positions are 0 to nodes - 1': '节点个数；位置为 0 到 nodes - 1',
  'both ends of each edge, one after the other: [0, 1, 1, 2] is a path of three; direction and repeats do not count':
    '每条边的两端依次写出：[0, 1, 1, 2] 是三个节点的路径；方向和重复不计',
  'number k of eigenvectors or steps': '特征向量或步数的个数 k',
  'whether edges from a node to itself count; else they are left out': '节点到自身的边是否算数；否则略去',
  'the parent of each node, -1 for a root; children are branches in the order of their numbers':
    '每个节点的父节点，根为 -1；子节点按编号顺序为分支',
  'most children of a node (n of the paper)': '一个节点最多几个子节点（论文的 n）',
  'steps towards the root that a row remembers (k of the paper)': '一行记住往根方向几步（论文的 k）',
  'trained decays, each with columns of its own': '训练所得的衰减，各有自己的列',
  'width of the model, which the rows are scaled for': '模型的宽度，各行按它缩放',
  'a trained linear layer on top, as graph transformers have it': '上面加一个可训练的线性层，如图 Transformer',
  'width of a row with the layer': '有该层时一行的宽度',
};
