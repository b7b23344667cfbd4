// What the catalogue says of options.
export const options: Readonly<Record<string, string>> = {
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
  'width of a head': '一个头的宽度',
  'how many of its channels turn, the d of the formula; the rest pass through':
    '其中多少通道转动，即公式的 d；其余原样通过',
  'base of the frequencies (rope_theta): larger makes the slow pairs slower':
    '频率的基数（rope_theta）：越大，慢的对越慢',
  'how channels pair up: m with m + d/2 (half: Hugging Face\'s LLaMA, GPT-NeoX) or 2m with 2m + 1 (interleaved: GPT-J, RoFormer, Meta\'s LLaMA)':
    '通道怎样配对：m 与 m + d/2（half：Hugging Face 的 LLaMA、GPT-NeoX）或 2m 与 2m + 1（interleaved：GPT-J、RoFormer、Meta 的 LLaMA）',
  'turn the values too, in attention (RoFormer\'s rotary_value)':
    '注意力中也旋转值（RoFormer 的 rotary_value）',
  'how frequencies are stretched beyond the trained length': '超出训练长度时怎样拉伸频率',
  'how many times the original length is wanted': '想要原长度的几倍',
  'length of the original training, in tokens (original_max_position_embeddings)':
    '原来训练的长度，按词元计（original_max_position_embeddings）',
  'amplitude that multiplies cos and sin, so that scores carry its square':
    '乘在 cos 和 sin 上的幅度，分数因此带有它的平方',
  'by the method\'s formula from factor': '由该方法的公式从 factor 得出',
  'pairs that turn more often than this within the original length keep their frequency':
    '在原长度内转得比这更多的对保持频率',
  'pairs that turn less often than this are divided by factor': '在原长度内转得比这更少的对除以 factor',
  'round the bounds between the two to whole pairs': '两者之间的界限取整到整对',
  'DeepSeek\'s weight of the amplitude; counts only together with mscaleAllDim':
    'DeepSeek 幅度的权重；只与 mscaleAllDim 一起有效',
  'DeepSeek\'s divisor of the amplitude; equal to mscale the two cancel out':
    'DeepSeek 幅度的除数；与 mscale 相等时两者抵消',
  'divisor of each frequency up to the original length, rotaryDim / 2 numbers':
    '原长度以内每个频率的除数，共 rotaryDim / 2 个数',
  'divisor of each frequency once the length reached is beyond it': '到达的长度超过它之后每个频率的除数',
  'amplitude up to the original length, where it differs (Phi-3.5-MoE); attentionFactor wins':
    '原长度以内的幅度，若不同（Phi-3.5-MoE）；attentionFactor 优先',
  'amplitude once the length reached is beyond it': '到达的长度超过它之后的幅度',
  'wavelengths above originalLength / lowFreqFactor are stretched by factor':
    '波长大于 originalLength / lowFreqFactor 的被拉伸 factor 倍',
  'wavelengths below originalLength / highFreqFactor stay as they are':
    '波长小于 originalLength / highFreqFactor 的保持不变',
  'turns within the original length where NTK begins to give way to linear':
    '原长度内转多少圈时 NTK 开始让位给 linear',
  'turns where linear has taken over': '转多少圈时 linear 已完全接手',
  'turns above which frequencies stay as they are': '转得比这更多的频率保持不变',
  'turns below which they are all stretched': '转得比这更少的全部拉伸',
  'share of NTK in its blend with linear': 'NTK 在与 linear 混合中的份额',
  'share of the unchanged frequencies in their blend': '不变的频率在混合中的份额',
  'coordinates of a position: 2 for rows and columns, 3 with frames before them':
    '一个位置的坐标个数：2 为行和列，3 为帧、行、列',
  'how many of the channels turn; the rest pass through': '多少通道转动；其余原样通过',
  'channels of each axis, even numbers that add up to rotaryDim, where the axes have unequal shares':
    '各轴份额不等时每个轴的通道数，偶数，合计为 rotaryDim',
  'rotaryDim / axes each': '各为 rotaryDim / axes',
  'base of the frequencies (rope_theta): 10000 for most, 100 for DINOv3':
    '频率的基数（rope_theta）：多数为 10000，DINOv3 为 100',
  'the same frequencies for every axis (shared), those of RoPE dealt to the axes in turn (dealt: Pixtral), or even steps up to maxFreq / 2 half turns (linear)':
    '各轴同样的频率（shared），把 RoPE 的频率轮流分给各轴（dealt：Pixtral），或等步到 maxFreq / 2 个半圈（linear）',
  'the fastest pair makes maxFreq / 2 half turns per unit': '最快的对每单位转 maxFreq / 2 个半圈',
  'how channels pair up: m with m + d/2 (half: Pixtral, Qwen2-VL, DINOv3) or 2m with 2m + 1 (interleaved: EVA-02, SAM 2, lucidrains)':
    '通道怎样配对：m 与 m + d/2（half：Pixtral、Qwen2-VL、DINOv3）或 2m 与 2m + 1（interleaved：EVA-02、SAM 2、lucidrains）',
  'which axis has the first channels: the first (forward, rows before columns) or the last (reversed: SAM 2)':
    '哪个轴占最前的通道：第一个（forward，先行后列）或最后一个（reversed：SAM 2）',
  'what an index becomes: itself, the middle of its patch in (-1, 1) times 2π (centred: DINOv3), from -1 to 1 (span), or its share of the trained grid (resized: EVA-02)':
    '索引变成什么：它自己，图块在 (-1, 1) 中的中点乘 2π（centred：DINOv3），从 -1 到 1（span），或它在训练网格中的份额（resized：EVA-02）',
  'cells along each axis, [rows, columns]: token i is then cell i, the last axis fastest':
    '每个轴的格数 [rows, columns]：词元 i 就是第 i 格，最后的轴最快',
  'none: every token needs its coordinates': '无：每个词元都要给出坐标',
  'cells along each axis in training': '训练时每个轴的格数',
  'tokens in front of the grid that do not turn (class and register tokens)':
    '网格之前不转动的词元（类别词元和寄存器词元）',
  'how many pairs listen to each axis, time, height and width (mrope_section); they add up to rotaryDim / 2':
    '听从每个轴（时间、高、宽）的对数（mrope_section）；合计为 rotaryDim / 2',
  'Qwen\'s shares of three: 2 : 3 : 3 where chunked, 6 : 5 : 5 where interleaved':
    'Qwen 的三份：分块时 2 : 3 : 3，交错时 6 : 5 : 5',
  'whether the pairs of an axis stand together (chunked: Qwen2-VL, GLM-4V) or take turns with the others (interleaved: Qwen3-VL)':
    '一个轴的对放在一起（chunked：Qwen2-VL、GLM-4V），还是与其他轴轮流（interleaved：Qwen3-VL）',
  'how many of its channels turn and fade, the d of the formulas; the rest pass through':
    '多少通道转动并衰减，即公式的 d；其余原样通过',
  'how channels pair up: 2m with 2m + 1 (interleaved: torchscale) or m with m + d/2 (half)':
    '通道怎样配对：2m 与 2m + 1（interleaved：torchscale）或 m 与 m + d/2（half）',
  'B, the distance over which pair m fades by ζ_m: larger fades more slowly':
    'B，第 m 对衰减到 ζ_m 的距离：越大衰减越慢',
  'γ: how much the fastest pair keeps, ζ_0 = γ / (1 + γ)': 'γ：最快的对保留多少，ζ_0 = γ / (1 + γ)',
  'c, the position whose factor is 1 in apply and table; scores do not depend on it (torchscale: half the length)':
    'c，在 apply 和 table 中因子为 1 的位置；分数与它无关（torchscale：长度的一半）',
  'number of attention heads H': '注意力头数 H',
  'distance behind only (causal), on both sides alike (symmetric), or with slopes of their own (two)':
    '只向后的距离（causal），两侧相同（symmetric），或各有斜率（two）',
  'slopes where the number of heads is no power of two: the paper\'s code, the plain power formula, or MPT\'s order':
    '头数不是二的幂时的斜率：论文的代码，纯幂公式，或 MPT 的顺序',
  'the last slope is 2^-biasMax (8 in the paper; MPT\'s alibi_bias_max)':
    '最后的斜率为 2^-biasMax（论文为 8；MPT 的 alibi_bias_max）',
  'whether the slopes have gradients': '斜率是否有梯度',
  'width of a value head': '值头的宽度',
  'how far behind keys are told apart, the paper\'s clipping distance k': '往回多远的键能被分辨，论文的截断距离 k',
  'how far ahead keys are told apart': '往前多远的键能被分辨',
  'a table of its own for values (the paper), the keys\' table for both (OpenNMT), or no term on values (BERT)':
    '值用自己的表（论文），值也用键的表（OpenNMT），或值没有这一项（BERT）',
  'multiply the keys with the rows too: BERT\'s relative_key_query':
    '键也与这些行相乘：BERT 的 relative_key_query',
  'rows from key - query = -left to right, or from query - key = -right to left (BERT)':
    '行按 key - query = -left 到 right，或按 query - key = -right 到 left（BERT）',
  'farther keys share the last row (clip), or positions stop where distances would leave the table (error)':
    '更远的键共用最后一行（clip），或在距离会超出表时不许（error）',
  'sines of the distance behind a projection, or a learned row per distance (the code\'s learnable variant)':
    '距离的正弦加投影，或每个距离学一行（代码的可学习变体）',
  'width of the sines, even': '正弦的宽度，偶数',
  'all sines and then all cosines (concat), or in turn (interleaved, Conformer)':
    '先全部正弦再全部余弦（concat），或交替（interleaved，Conformer）',
  'farther distances count as this one (clamp_len)': '更远的距离算作这一个（clamp_len）',
  'no bound': '无上限',
  'rows of the table: distances 0 to maxLength - 1 behind the query; farther ones share the last, keys ahead the first':
    '表的行数：查询之后 0 到 maxLength - 1 的距离；更远的共用最后一行，之后的键用第一行',
  'XLNet\'s segment term; positions then have two coordinates, place and segment':
    'XLNet 的段项；这时位置有两个坐标，位置和段',
  'rows per direction: max_relative_positions (v1), position_buckets (v2, v3)':
    '每个方向的行数：max_relative_positions（v1），position_buckets（v2、v3）',
  'a row for every distance (v1), or logarithmic ones beyond half the span (v2, v3)':
    '每个距离一行（v1），或超过一半范围后取对数（v2、v3）',
  'distance of the last bucket, plus 1 (max_relative_positions, or max_position_embeddings where that is -1)':
    '最后一个桶的距离加 1（max_relative_positions，为 -1 时取 max_position_embeddings）',
  'distances beyond the last bucket go on counting and are clamped to the table (continue, Hugging Face), or are clamped before (clamp, Microsoft)':
    '最后一个桶以外的距离继续计数再截到表内（continue，Hugging Face），或事先截断（clamp，Microsoft）',
  'content to position (c2p), position to content (p2c), or both': '内容对位置（c2p），位置对内容（p2c），或两者',
  'row of the position-to-content term: that of i - j (the released code) or of j - i (formula 4 of the paper)':
    '位置对内容项的行：i - j 的（发布的代码）或 j - i 的（论文公式 4）',
  'embeddings of relative positions behind projections, or the projected rows themselves':
    '相对位置的嵌入再投影，或直接是投影后的行',
  'width of the embeddings': '嵌入的宽度',
  'rows of the grid that the tables are for': '表所属网格的行数',
  'columns of the grid that the tables are for': '表所属网格的列数',
  'rows of the grid in use; another number than height resamples the table linearly':
    '使用网格的行数；与 height 不同时把表线性重采样',
  'columns of the grid in use': '使用网格的列数',
  'multiply these terms by the attention\'s scale too; the code of MViTv2 and SAM does not':
    '这些项也乘以注意力的缩放；MViTv2 和 SAM 的代码没有乘',
  'number of positions n; those beyond count as the last': '位置个数 n；更远的算作最后一个',
  'gates of the scaled product, as the authors\' code has them, or of q·k itself, as the paper writes':
    '门取自缩放后的乘积，如作者的代码，或取自 q·k 本身，如论文所写',
  'number of buckets of distances, both sides together': '距离桶的个数，两侧合计',
  'distance from which on all share the last bucket of their side': '从这个距离起，同侧都共用最后一个桶',
  'two sides with half of the buckets each (encoders), or one: keys ahead are in bucket 0 (decoders)':
    '两侧各占一半的桶（编码器），或一侧：之后的键在桶 0（解码器）',
  '-p ln(1 + a d) (log), the paper\'s choice for length extrapolation, or -a d^p (power)':
    '-p ln(1 + a d)（log），论文为长度外推所选，或 -a d^p（power）',
  'the distance |i - j| on both sides, or no bias for keys ahead, where a causal mask hides them':
    '两侧都用距离 |i - j|，或在因果掩码遮住的之后的键上没有偏置',
  'the least value that p and a act with (the code\'s eps)': 'p 和 a 起作用的最小值（代码的 eps）',
  'width d of the sinusoidal rows whose product is taken: d / 2 cosines':
    '取其乘积的正弦行的宽度 d：d / 2 个余弦',
  'm runs from 1 to d/2 as the paper\'s sum does, or from 0, the frequencies of sinusoidal rows':
    'm 从 1 到 d/2，如论文的求和，或从 0，即正弦行的频率',
  'subtract d/2, so that the bias is 0 at distance 0 and never above':
    '减去 d/2，使距离 0 处偏置为 0，此外不大于 0',
  'initial c: how sharply near distances are told apart': '初始的 c：近距离分辨得多细',
  'threshold on the query\'s position below which distances are not normalised by it, times lMultiplier':
    '查询位置的阈值，低于它时距离不按它归一化，再乘以 lMultiplier',
  'added to the divisor': '加到除数上',
  'rows of a window': '窗口的行数',
  'columns of a window': '窗口的列数',
  'deviation of the normal numbers that the table begins with': '表的初始正态数的标准差',
  'rows of the window that the network was trained with; 0: this one': '训练网络时窗口的行数；0：就是现在的',
  'columns of the window that the network was trained with; 0: this one': '训练网络时窗口的列数；0：就是现在的',
  'rows of patches of the image': '图像的图块行数',
  'columns of patches of the image': '图像的图块列数',
  'compare places in the text and boxes on the page, or one of the two': '比较文本中的位置和页面上的框，或只比其一',
  'number of buckets of distances in the text (rel_pos_bins)': '文本中距离桶的个数（rel_pos_bins）',
  'distance in the text from which on all share a bucket (max_rel_pos)':
    '文本中从这个距离起共用一个桶（max_rel_pos）',
  'number of buckets of distances on the page, per axis (rel_2d_pos_bins)':
    '页面上每个轴距离桶的个数（rel_2d_pos_bins）',
  'distance on the page from which on all share a bucket (max_rel_2d_pos)':
    '页面上从这个距离起共用一个桶（max_rel_2d_pos）',
  'the edge of a box that the vertical distance goes by: y1 (lower, as released) or y0':
    '竖直距离按框的哪条边：y1（下边，如发布的）或 y0',
  'factor on the bias: 1 in LayoutLMv2, 1 / sqrt(headDim) in LayoutLMv3':
    '偏置的因子：LayoutLMv2 为 1，LayoutLMv3 为 1 / sqrt(headDim)',
  'deviation of the normal numbers that the tables begin with': '各表初始正态数的标准差',
  'number of different relations R: ids are 0 to R - 1': '不同关系的个数 R：编号为 0 到 R - 1',
  'the id that stands for no relation: it adds nothing and has no gradient':
    '代表“没有关系”的编号：什么也不加，也没有梯度',
};
