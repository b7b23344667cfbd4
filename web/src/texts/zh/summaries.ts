// What each encoding is, in two sentences.
export const summaries: Readonly<Record<string, string>> = {
  'Each position becomes a row of sines and cosines, from fast to slow, like the hands of many clocks. Moving by k steps turns every pair by a fixed angle, whatever the position.':
    '每个位置变成一行正弦和余弦，从快到慢，像许多时钟的指针。移动 k 步，不论从哪里出发，每一对都转过同样的角度。',
  'A table with one row per position, trained like the word embeddings. The model finds out for itself what it wants to know about position 17.':
    '每个位置一行的表，像词嵌入一样训练。关于第 17 个位置想知道什么，由模型自己找出来。',
  'Trained rows for the patches of an image or video: one per patch, or one per row and one per column of the grid. For another image size the table is resampled like a small picture.':
    '为图像或视频的图块训练的行：每个图块一行，或网格的每行、每列各一行。图像换了尺寸，就把表像小图片一样重采样。',
  'Folds a long sequence into lines like text on a page and learns a row for the line and one for the place in the line: 512 + 1024 rows do the work of half a million.':
    '把长序列像书页上的文字那样折成行，学一个“第几行”和一个“行内第几个”的向量：512 + 1024 行就能顶五十万行。',
  'Counts on two levels, like chapter and page: one trained vector says which block a token is in, another its place within the block. Blocks may be sentences, paragraphs or windows.':
    '分两级计数，像章和页：一个训练所得的向量说明词元在哪个块，另一个说明在块中的位置。块可以是句子、段落或窗口。',
  'One trained vector per kind of token, added to all tokens of that kind: first or second sentence, text or image. It says where a token comes from, not where it stands.':
    '每类词元一个训练所得的向量，加到该类的所有词元上：第一句或第二句，文本或图像。它说明词元来自哪里，而不是站在哪里。',
  'Tells a model where on the page a word stands: trained vectors for its left, upper, right and lower edge, its height and its width.':
    '告诉模型一个词在页面上的什么地方：左、上、右、下各边以及高和宽都有训练所得的向量。',
  'For tokens that stand at real places - points of a cloud, stations on a map, events in time: coordinates are brought to one range and a linear layer makes a vector of them.':
    '用于处在真实位置的词元，如点云的点、地图上的站、时间里的事件：坐标先变到同一范围，再由线性层变成向量。',
  'A learned table written as a product of two small ones. Trained tables are smooth, so a few dozen basis rows mixed per position say nearly all that they say.':
    '把可学习的表写成两张小表的乘积。训练所得的表是平滑的，几十个基行按位置混合，就几乎说尽它说的一切。',
  'Spells each position with a few words of a small dictionary: four rows out of sixty-four, each with a weight. Far positions may share words, which a table cannot do.':
    '用小词典里的几个词拼出每个位置：六十四行里取四行，各带权重。相距很远的位置可以共用词，这是一张表做不到的。',
  'Sinusoidal rows for images and volumes: one part of the columns encodes the row, the next the column, and so on, so that every cell of a grid of any size has its own pattern.':
    '用于图像和体积的正弦行：一部分列编码行号，下一部分编码列号，依此类推，任何大小的网格的每一格都有自己的图案。',
  'Coordinates become sines and cosines of many projections of them, so that a network can tell near points apart that the bare numbers would blur. The projections are powers of two, random, or learned.':
    '坐标变成许多投影的正弦和余弦，网络因此能分辨靠得很近、单凭数值会混淆的点。投影可以是二的幂、随机的或学习所得的。',
  'Writes the position in binary, or in another base, and adds up one trained vector per digit. A thousand positions need ten vectors of each kind instead of a thousand rows.':
    '把位置写成二进制或别的进制，每一位数字加一个训练所得的向量。一千个位置只要每类十个向量，而不是一千行。',
  'A small neural network reads the position as a number and writes the row. Near positions get near rows, and the number of parameters does not depend on the length.':
    '一个小神经网络把位置当作数来读，写出一行。相近的位置得到相近的行，参数个数与长度无关。',
  'A small convolution over the tokens is added to them. The zeros beyond the edges tell tokens how far they are from it, so that position comes out of the content itself.':
    '把词元上的一个小卷积加到词元上。边缘以外的零告诉词元离边缘有多远，位置就从内容本身得出。',
  'A recurrent network without input runs along the positions; its state after p steps is the row of position p. Order comes from the order of the steps.':
    '没有输入的循环网络沿着位置走；走 p 步后的状态就是位置 p 的行。顺序来自步子的顺序。',
  'A learned differential equation moves a point as time goes by; where it is after p units of time is the row of position p. Between two positions there are all those in between.':
    '学习所得的微分方程随时间移动一个点；经过 p 个单位时间后它所在之处就是位置 p 的行。两个位置之间还有所有中间的位置。',
  'Nodes of a graph have no order, but they have a place: near the middle or at the edge, in this part or that. The slow vibrations of the graph, or how a random walk comes home, say where.':
    '图的节点没有顺序，却有处所：在中间还是边上，在这一部分还是那一部分。图的慢振动，或随机游走怎样回家，说明在哪里。',
  'Turns pairs of channels of queries and keys by angles that grow with the position, fast pairs for near tokens and slow ones for far. What is left in a score is the difference of the two positions.':
    '把查询和键的通道成对旋转，角度随位置增长，快的对管近处，慢的对管远处。分数里剩下的是两个位置之差。',
  'Rotation for pictures and video: a part of the channels turns by the row, another by the column, a third by the frame. A score then knows how far apart two patches are in each direction.':
    '用于图片和视频的旋转：一部分通道随行转，另一部分随列转，还有一部分随帧转。分数因此知道两个图块在每个方向上相距多远。',
  'RoPE for text, images and video in one sequence: some pairs turn by the frame, some by the row, some by the column. For text the three are equal, and nothing changes.':
    '文本、图像和视频在一个序列里的 RoPE：有的对随帧转，有的随行，有的随列。对文本三者相等，什么也不变。',
  'RoPE with fading: pairs of channels lose weight with distance, the fast ones first. Far tokens are compared by their slow pairs alone, whose angles are reliable there.':
    '带衰减的 RoPE：通道对随距离失去权重，快的先失去。远处的词元只靠慢的对比较，它们的角度在那里可靠。',
  'Subtracts from each score a number proportional to how far the key is from the query; every head has its own slope, so some heads look near and some look far.':
    '从每个分数减去与键到查询的距离成正比的数；每个头有自己的斜率，有的看近，有的看远。',
  'Every distance up to a limit has a learned vector. It is added to the key when a query looks at it, and to the value when it is read, so that "three words back" is something a head can look for.':
    '某个上限以内的每个距离都有学习所得的向量。查询看键时加到键上，读取时加到值上，于是“往回三个词”成为头可以寻找的东西。',
  'The score has a part for content and a part for distance. The distance enters as sines that a learned matrix turns into one row per head, so keys may come from memory of earlier segments at any distance.':
    '分数一部分看内容，一部分看距离。距离以正弦进入，由学习所得的矩阵变成每个头一行，因此键可以来自之前各段的记忆，距离不限。',
  'Every word has a content vector and every distance a position vector. A score adds up content with content, content with position, and position with content, each from its own projection.':
    '每个词有内容向量，每个距离有位置向量。分数把内容对内容、内容对位置、位置对内容加在一起，各用自己的投影。',
  'Patches of an image are told apart by how many rows and how many columns lie between them. Each distance has a learned vector that the query looks at; rows and columns have tables of their own.':
    '图像的图块按相隔几行几列来分辨。每个距离有一个学习所得的向量供查询去看；行和列各有自己的表。',
  'Each head decides by content which tokens count, and measures distance in those: words, sentences or section marks instead of tokens. Positions are therefore fractions.':
    '每个头由内容决定哪些词元算数，并用它们来量距离：词、句子或段落标记，而不是词元。位置因此是分数。',
  'Sorts distances into buckets, fine ones nearby and coarse ones far away, and learns one number for each bucket and head, which is added to the score.':
    '把距离分进桶里，近处细，远处粗，为每个桶、每个头学一个数，加到分数上。',
  'Subtracts from each score a number that grows with the logarithm (or a power) of the distance; each head learns how steeply.':
    '从每个分数减去随距离的对数（或幂）增长的数；每个头学习有多陡。',
  'Takes from sinusoidal rows only what their dot product says about distance, and adds that to the scores: near keys gain, far ones fade slowly, and nothing is learned.':
    '只取正弦行的点积关于距离所说的话，加到分数上：近处的键增加，远处缓慢减弱，什么也不学。',
  'Asks how far back a key is as a share of all that the query could look back to, and lets a small network turn that share into a number for each head.':
    '问键往回有多远，占查询能往回看的几分之几，再由小网络把这个份额变成每个头一个数。',
  'An image is cut into small windows, attention stays inside each, and every offset between two places of a window has a learned number per head.':
    '图像切成小窗口，注意力留在窗口内，窗口中两个位置之间的每种偏移在每个头有一个学习所得的数。',
  'Instead of a table, a small network reads the offset between two places on a logarithmic scale, so that it can be used with windows larger than those it was trained with.':
    '不用表，而由一个小网络在对数尺度上读两个位置之间的偏移，因此可用于比训练更大的窗口。',
  'Every offset between two patches of an image has a learned number per head, and the class token, which stands nowhere, has three of its own.':
    '图像两个图块之间的每种偏移在每个头有一个学习所得的数，没有位置的类别词元另有三个自己的数。',
  'For tokens of a scanned page: learned numbers for how far apart two tokens are in the text, how far to the side and how far down the page, all added to the score.':
    '用于扫描页面的词元：两个词元在文本中、在页面的左右和上下相距多远，各有学习所得的数，都加到分数上。',
  'You say how each token relates to each other one (steps apart in a graph, parent and child in a syntax tree), and the model learns one number for each relation and head.':
    '由您说明每个词元与另一个的关系（图中相隔几步，句法树中的父与子），模型为每种关系、每个头学一个数。',
  'No position at all: what attention can and cannot see without one. A causal mask alone already tells a decoder something about order.':
    '完全没有位置：看看注意力在没有位置时能看到什么，看不到什么。仅因果掩码就已告诉解码器一些顺序。',
};
