// What the catalogue says of options of encodings that turn pairs of channels, or look at pairs of tokens.
export const pairs: Readonly<Record<string, string>> = {
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
