// What the catalogue says of encodings.
export const encodings: Readonly<Record<string, string>> = {
  'Each position becomes a row of sines and cosines, from fast to slow, like the hands of many clocks. Moving by k steps turns every pair by a fixed angle, whatever the position.':
    '每个位置变成一行正弦和余弦，从快到慢，像许多时钟的指针。移动 k 步，不论从哪里出发，每一对都转过同样的角度。',
  'rows exist for every position, but models trained short do poorly on rows never seen':
    '每个位置都有一行，但在短序列上训练的模型遇到没见过的行表现不佳',
  'no parameters, any length, real positions, differences of position are rotations':
    '无参数，长度不限，可用实数位置，位置之差就是旋转',
  'weak extrapolation in practice; mixes position and content in one sum': '实际外推较弱；位置与内容混在一个和里',
  'translation': '翻译',
  'speech': '语音',
  'classification': '分类',
  'A table with one row per position, trained like the word embeddings. The model finds out for itself what it wants to know about position 17.':
    '每个位置一行的表，像词嵌入一样训练。关于第 17 个位置想知道什么，由模型自己找出来。',
  'no: there is no row beyond the table; it can be resampled to a longer one and trained on':
    '不行：表以外没有行；可以重采样成更长的表再继续训练',
  'simple, fast, learns whatever the data have': '简单、快，数据里有什么就学什么',
  'a fixed longest length, rows near the end are seldom trained, one more table to store':
    '最大长度固定，靠近末尾的行很少被训练到，还要多存一张表',
  'language models of fixed length': '固定长度的语言模型',
  'retrieval': '检索',
  'Trained rows for the patches of an image or video: one per patch, or one per row and one per column of the grid. For another image size the table is resampled like a small picture.':
    '为图像或视频的图块训练的行：每个图块一行，或网格的每行、每列各一行。图像换了尺寸，就把表像小图片一样重采样。',
  'other grids by resampling, with some loss; per-axis tables end where they end':
    '靠重采样用于别的网格，有些损失；按轴的表到头就没有了',
  'learns what the images have; resampling carries it to other sizes': '学到图像里有的东西；重采样使它能用于别的尺寸',
  'tied to the trained grid; far from it quality falls without further training':
    '与训练的网格绑定；离得远了，不再训练质量就下降',
  'image classification': '图像分类',
  'detection': '检测',
  'video': '视频',
  'Folds a long sequence into lines like text on a page and learns a row for the line and one for the place in the line: 512 + 1024 rows do the work of half a million.':
    '把长序列像书页上的文字那样折成行，学一个“第几行”和一个“行内第几个”的向量：512 + 1024 行就能顶五十万行。',
  'no beyond the grid, unless rows are clamped or repeated': '网格以外不行，除非截断或重复各行',
  'few parameters for very long sequences, natural for images': '极长的序列只需很少参数，图像天然适合',
  'the same structure is imposed on every line; neighbours across a line break look far apart':
    '每一行都被强加同样的结构；换行处的邻居看起来相距很远',
  'very long sequences': '极长的序列',
  'image generation': '图像生成',
  'Counts on two levels, like chapter and page: one trained vector says which block a token is in, another its place within the block. Blocks may be sentences, paragraphs or windows.':
    '分两级计数，像章和页：一个训练所得的向量说明词元在哪个块，另一个说明在块中的位置。块可以是句子、段落或窗口。',
  'no beyond the last block': '最后一个块以外不行',
  'few rows for long inputs, and structure of the text made plain': '长输入只需很少的行，文本结构一目了然',
  'neighbours across a boundary look far apart': '跨越边界的邻居看起来相距很远',
  'documents': '文档',
  'dialogue': '对话',
  'long sequences': '长序列',
  'One trained vector per kind of token, added to all tokens of that kind: first or second sentence, text or image. It says where a token comes from, not where it stands.':
    '每类词元一个训练所得的向量，加到该类的所有词元上：第一句或第二句，文本或图像。它说明词元来自哪里，而不是站在哪里。',
  'to any length, since it does not look at the place': '任意长度，因为它不看位置',
  'keeps parts of an input apart at almost no cost': '几乎不花代价就把输入的各部分分开',
  'says nothing about order; a type never trained has no meaning': '不含任何顺序；没训练过的类型没有意义',
  'sentence pairs': '句对',
  'multimodal input': '多模态输入',
  'Tells a model where on the page a word stands: trained vectors for its left, upper, right and lower edge, its height and its width.':
    '告诉模型一个词在页面上的什么地方：左、上、右、下各边以及高和宽都有训练所得的向量。',
  'no: coordinates are scaled to the table\'s range beforehand': '不行：坐标事先缩放到表的范围',
  'layout becomes an input like any other; tables and forms become readable':
    '版面像其他输入一样进入模型；表格和表单变得可读',
  'needs boxes from OCR, scaled to the same range everywhere': '需要 OCR 给出的框，而且处处缩放到同一范围',
  'forms': '表单',
  'invoices': '发票',
  'document understanding': '文档理解',
  'For tokens that stand at real places - points of a cloud, stations on a map, events in time: coordinates are brought to one range and a linear layer makes a vector of them.':
    '用于处在真实位置的词元，如点云的点、地图上的站、时间里的事件：坐标先变到同一范围，再由线性层变成向量。',
  'no: coordinates outside the range are refused or clamped': '不行：范围以外的坐标被拒绝或截断',
  'real positions, any number of axes, smooth in the coordinates': '实数位置，任意轴数，随坐标平滑变化',
  'linear features alone carry little detail; the range must be known': '只有线性特征时细节很少；必须知道范围',
  'point clouds': '点云',
  'time series with gaps': '有缺口的时间序列',
  'geography': '地理',
  'A learned table written as a product of two small ones. Trained tables are smooth, so a few dozen basis rows mixed per position say nearly all that they say.':
    '把可学习的表写成两张小表的乘积。训练所得的表是平滑的，几十个基行按位置混合，就几乎说尽它说的一切。',
  'no: there are no coefficients beyond the table': '不行：表以外没有系数',
  'a fraction of the parameters; shows how much a trained table really holds':
    '参数只是一小部分；显示训练所得的表到底含有多少',
  'one more product per row; the rank has to be chosen': '每行多一次乘积；秩要自己选',
  'compression': '压缩',
  'study of trained tables': '研究训练所得的表',
  'Spells each position with a few words of a small dictionary: four rows out of sixty-four, each with a weight. Far positions may share words, which a table cannot do.':
    '用小词典里的几个词拼出每个位置：六十四行里取四行，各带权重。相距很远的位置可以共用词，这是一张表做不到的。',
  'few numbers per position, shared structure between positions': '每个位置只需几个数，位置之间共享结构',
  'the choice of rows is not trained by gradients': '取哪些行不由梯度训练',
  'Sinusoidal rows for images and volumes: one part of the columns encodes the row, the next the column, and so on, so that every cell of a grid of any size has its own pattern.':
    '用于图像和体积的正弦行：一部分列编码行号，下一部分编码列号，依此类推，任何大小的网格的每一格都有自己的图案。',
  'rows exist for every coordinate; images larger than those trained on are usually normalised to the same range':
    '每个坐标都有行；比训练更大的图像通常归一化到同一范围',
  'no parameters, any grid size and number of axes, real coordinates': '无参数，任意大小和轴数的网格，可用实数坐标',
  'axes are encoded apart: how rows and columns interact is left to the model':
    '各轴分开编码：行列如何相互作用留给模型',
  'object detection': '目标检测',
  'image and video transformers': '图像与视频 Transformer',
  'segmentation': '分割',
  'Coordinates become sines and cosines of many projections of them, so that a network can tell near points apart that the bare numbers would blur. The projections are powers of two, random, or learned.':
    '坐标变成许多投影的正弦和余弦，网络因此能分辨靠得很近、单凭数值会混淆的点。投影可以是二的幂、随机的或学习所得的。',
  'defined for all real coordinates; a network on top has only seen the trained range':
    '对所有实数坐标有定义；上面的网络只见过训练的范围',
  'real coordinates of any number of axes; detail is set by one number': '任意轴数的实数坐标；细节由一个数决定',
  'sigma or the number of bands has to be tuned to the range of the coordinates':
    'sigma 或频带数要按坐标范围调整',
  'points': '点',
  'fields and scenes': '场与场景',
  'boxes and prompts': '框与提示',
  'time series at uneven times': '时间不均匀的序列',
  'Writes the position in binary, or in another base, and adds up one trained vector per digit. A thousand positions need ten vectors of each kind instead of a thousand rows.':
    '把位置写成二进制或别的进制，每一位数字加一个训练所得的向量。一千个位置只要每类十个向量，而不是一千行。',
  'no: a place whose digit was always 0 in training has no trained vector for the others, so a model trained on 0 to 127 knows nothing of bit 7':
    '不行：训练中某一位总是 0，其他数字的向量就没有训练过，只训练 0 到 127 的模型对第 7 位一无所知',
  'very few parameters for very long ranges': '极长的范围只需很少的参数',
  'neighbours may differ in many digits (127 and 128 in all eight bits); the Gray code mends that':
    '邻居可能有许多位不同（127 与 128 八位全不同）；格雷码可以弥补',
  'memory-bound models': '内存受限的模型',
  'studies': '研究',
  'A small neural network reads the position as a number and writes the row. Near positions get near rows, and the number of parameters does not depend on the length.':
    '一个小神经网络把位置当作数来读，写出一行。相近的位置得到相近的行，参数个数与长度无关。',
  'defined for all real positions; beyond the trained range it goes on as the activation does: in straight lines, or flat with tanh':
    '对所有实数位置有定义；超出训练范围后随激活函数延续：直线，或用 tanh 时变平',
  'real coordinates, few parameters, smooth rows': '实数坐标，参数少，行平滑',
  'networks of bare coordinates learn slow change first: neighbours far out are hard to tell apart; use Fourier features there':
    '只看坐标的网络先学慢变化：远处的邻居难以分辨；那里请用傅里叶特征',
  'continuous time': '连续时间',
  'A small convolution over the tokens is added to them. The zeros beyond the edges tell tokens how far they are from it, so that position comes out of the content itself.':
    '把词元上的一个小卷积加到词元上。边缘以外的零告诉词元离边缘有多远，位置就从内容本身得出。',
  'yes: any length or grid, the filters stay the same': '可以：任意长度或网格，滤波器不变',
  'any size of image or length of sound, adapts to the content, keeps the equivariance to shifts inside':
    '任意大小的图像或长度的声音，随内容调整，内部保持平移等变',
  'needs neighbours in a fixed order; absolute place is known near the edges only':
    '邻居要有固定的顺序；绝对位置只在边缘附近可知',
  'image classification and detection': '图像分类与检测',
  'A recurrent network without input runs along the positions; its state after p steps is the row of position p. Order comes from the order of the steps.':
    '没有输入的循环网络沿着位置走；走 p 步后的状态就是位置 p 的行。顺序来自步子的顺序。',
  'runs on beyond the trained length, but most networks settle at a fixed point, where all rows are alike':
    '超出训练长度后继续走，但多数网络会停在不动点，那里各行都一样',
  'parameters do not grow with the length; learns any regular progression': '参数不随长度增长；能学任何有规律的推进',
  'rows are made one after the other; gradients fade or grow over many steps':
    '各行只能一行接一行地得出；经过许多步梯度会消失或爆炸',
  'A learned differential equation moves a point as time goes by; where it is after p units of time is the row of position p. Between two positions there are all those in between.':
    '学习所得的微分方程随时间移动一个点；经过 p 个单位时间后它所在之处就是位置 p 的行。两个位置之间还有所有中间的位置。',
  'the equation goes on beyond the trained length, as far as what it learned holds there':
    '方程在训练长度之外继续，只要它学到的在那里仍成立',
  'real positions, few parameters, smooth rows, contains sinusoidal rows as a special case':
    '实数位置，参数少，行平滑，正弦行是它的特例',
  'rows are made one after the other, and training goes back through all the steps':
    '各行一行接一行地得出，训练要倒回所有步',
  'text classification': '文本分类',
  'question answering (FLOATER\'s experiments); uneven times': '问答（FLOATER 的实验）；不均匀的时间',
  'Nodes of a graph have no order, but they have a place: near the middle or at the edge, in this part or that. The slow vibrations of the graph, or how a random walk comes home, say where.':
    '图的节点没有顺序，却有处所：在中间还是边上，在这一部分还是那一部分。图的慢振动，或随机游走怎样回家，说明在哪里。',
  'made for each graph anew, of any size': '为每个图重新得出，大小不限',
  'tells nodes apart by structure alone': '只凭结构就能分辨节点',
  'the sign of an eigenvector, and its direction where eigenvalues repeat, mean nothing: train with random signs; direction of edges is not seen':
    '特征向量的符号，以及特征值重复时的方向，没有意义：训练时用随机符号；看不见边的方向',
  'molecules': '分子',
  'graphs': '图',
  'syntax trees': '句法树',
  'code': '代码',
  'Turns pairs of channels of queries and keys by angles that grow with the position, fast pairs for near tokens and slow ones for far. What is left in a score is the difference of the two positions.':
    '把查询和键的通道成对旋转，角度随位置增长，快的对管近处，慢的对管远处。分数里剩下的是两个位置之差。',
  'not by itself: slow pairs meet angles never trained; a scaling (linear, NTK, YaRN, LongRoPE, llama3) stretches them':
    '本身不行：慢的对会遇到没训练过的角度；缩放（linear、NTK、YaRN、LongRoPE、llama3）把它们拉伸',
  'relative without a bias matrix, no parameters, works with any fast attention and with a cache of keys':
    '相对而无须偏置矩阵，无参数，适合任何快速注意力和键的缓存',
  'needs a scaling beyond the trained length; two incompatible channel layouts are in use':
    '超出训练长度需要缩放；通行两种互不兼容的通道布局',
  'language models': '语言模型',
  'long documents': '长文档',
  'protein and DNA': '蛋白质与 DNA',
  'Rotation for pictures and video: a part of the channels turns by the row, another by the column, a third by the frame. A score then knows how far apart two patches are in each direction.':
    '用于图片和视频的旋转：一部分通道随行转，另一部分随列转，还有一部分随帧转。分数因此知道两个图块在每个方向上相距多远。',
  'to other grids better than learned tables do; coordinates scaled to the grid (DINOv3, EVA-02) meet no angles that were not trained':
    '用于别的网格比可学习的表好；按网格缩放的坐标（DINOv3、EVA-02）不会遇到没训练过的角度',
  'any grid, also one that is not square, without a table to resize; no parameters':
    '任意网格，不必是正方形，没有要调整大小的表；无参数',
  'directions off the axes are seen only through both; many incompatible conventions are in use':
    '偏离轴的方向只能通过两个轴看到；通行许多互不兼容的约定',
  'vision language models': '视觉语言模型',
  'RoPE for text, images and video in one sequence: some pairs turn by the frame, some by the row, some by the column. For text the three are equal, and nothing changes.':
    '文本、图像和视频在一个序列里的 RoPE：有的对随帧转，有的随行，有的随列。对文本三者相等，什么也不变。',
  'as RoPE does; pictures take fewer positions than tokens, which leaves room for long videos':
    '与 RoPE 相同；图片占的位置比词元少，给长视频留下余地',
  'one rotation for text and pictures, the text part of a trained model unchanged, no parameters':
    '文本和图片共用一次旋转，已训练模型的文本部分不变，无参数',
  'chunked sections give height and width slow pairs only; positions have to be made for every sequence':
    '分块的段只给高和宽慢的对；每个序列都要算位置',
  'video understanding': '视频理解',
  'RoPE with fading: pairs of channels lose weight with distance, the fast ones first. Far tokens are compared by their slow pairs alone, whose angles are reliable there.':
    '带衰减的 RoPE：通道对随距离失去权重，快的先失去。远处的词元只靠慢的对比较，它们的角度在那里可靠。',
  'better than RoPE without any scaling, best together with attention in windows; causal models only':
    '不加缩放就比 RoPE 好，与窗口注意力一起最好；只用于因果模型',
  'scores fade smoothly with distance, no parameters, a cache of keys works':
    '分数随距离平滑衰减，无参数，可用键的缓存',
  'keys ahead of the query would grow instead of fade: for causal attention; queries and keys need their sides':
    '查询之后的键会增长而不是衰减：只用于因果注意力；查询和键要分清',
  'Subtracts from each score a number proportional to how far the key is from the query; every head has its own slope, so some heads look near and some look far.':
    '从每个分数减去与键到查询的距离成正比的数；每个头有自己的斜率，有的看近，有的看远。',
  'yes: the penalty goes on growing, so far keys fade out instead of surprising the model':
    '可以：惩罚继续增长，远处的键渐渐消失，而不会让模型意外',
  'no parameters, no cost in the embedding, trains short and runs longer': '无参数，嵌入无开销，训练时短，运行时长',
  'favours recency: content far back is hard to reach in heads with steep slopes':
    '偏爱最近的内容：斜率大的头很难够到很远之前',
  'Every distance up to a limit has a learned vector. It is added to the key when a query looks at it, and to the value when it is read, so that "three words back" is something a head can look for.':
    '某个上限以内的每个距离都有学习所得的向量。查询看键时加到键上，读取时加到值上，于是“往回三个词”成为头可以寻找的东西。',
  'yes: beyond the limit all distances look alike': '可以：上限以外所有距离看起来一样',
  'few parameters, shared by all heads; a head can attend to exact small distances, whatever the length':
    '参数少，各头共用；无论多长，头都能准确关注小的距离',
  'far distances are not told apart; costs one more product per tile': '分辨不出远的距离；每个分块多一次乘积',
  'speech recognition': '语音识别',
  'music': '音乐',
  'encoders': '编码器',
  'The score has a part for content and a part for distance. The distance enters as sines that a learned matrix turns into one row per head, so keys may come from memory of earlier segments at any distance.':
    '分数一部分看内容，一部分看距离。距离以正弦进入，由学习所得的矩阵变成每个头一行，因此键可以来自之前各段的记忆，距离不限。',
  'yes: sines exist for every distance, and clampLength makes far ones alike':
    '可以：每个距离都有正弦，clampLength 使远处的都一样',
  'distances of any length, memory of earlier segments, content and distance kept apart':
    '距离不限，能记住之前的段，内容与距离分开',
  'projects a row for every distance in every layer': '每层都要为每个距离投影一行',
  'language models with memory': '带记忆的语言模型',
  'Every word has a content vector and every distance a position vector. A score adds up content with content, content with position, and position with content, each from its own projection.':
    '每个词有内容向量，每个距离有位置向量。分数把内容对内容、内容对位置、位置对内容加在一起，各用自己的投影。',
  'yes: distances beyond the last bucket share its row': '可以：最后一个桶以外的距离共用它的行',
  'the strongest small encoders; position is kept apart from content all the way':
    '最强的小型编码器；位置始终与内容分开',
  'two more products per pair; logarithmic buckets blur far distances': '每一对多两次乘积；对数的桶使远距离模糊',
  'question answering': '问答',
  'token labelling': '词元标注',
  'Patches of an image are told apart by how many rows and how many columns lie between them. Each distance has a learned vector that the query looks at; rows and columns have tables of their own.':
    '图像的图块按相隔几行几列来分辨。每个距离有一个学习所得的向量供查询去看；行和列各有自己的表。',
  'by resampling the tables to the new grid': '把表重采样到新的网格',
  '2(H + W) rows instead of 4HW; works in windows and over the whole image':
    '2(H + W) 行代替 4HW 行；可用于窗口，也可用于整幅图像',
  'rows and columns cannot act together; tables belong to a grid size': '行与列不能共同起作用；表属于一种网格大小',
  'Each head decides by content which tokens count, and measures distance in those: words, sentences or section marks instead of tokens. Positions are therefore fractions.':
    '每个头由内容决定哪些词元算数，并用它们来量距离：词、句子或段落标记，而不是词元。位置因此是分数。',
  'partly: counted positions grow more slowly than tokens, and those beyond the last row share it':
    '部分可以：数出来的位置比词元增长得慢，最后一行以外的共用它',
  'counts things, finds the last sentence, copies selectively, where token distances fail':
    '能计数，能找到最后一句，能有选择地复制，这些是词元距离做不到的',
  'needs the products of a whole row before its positions are known; slower, and rarely used':
    '要先有整行的乘积才知道位置；较慢，很少使用',
  'counting': '计数',
  'selective copying': '选择性复制',
  'Sorts distances into buckets, fine ones nearby and coarse ones far away, and learns one number for each bucket and head, which is added to the score.':
    '把距离分进桶里，近处细，远处粗，为每个桶、每个头学一个数，加到分数上。',
  'runs at any length: all far distances share the last bucket, so nothing is unseen':
    '任意长度可运行：所有远距离共用最后一个桶，没有未见过的',
  'few parameters, learns which distances matter to each head': '参数少，学到哪些距离对哪个头重要',
  'far distances are not told apart; the table has to be trained': '分辨不出远的距离；表需要训练',
  'summarization': '摘要',
  'text to text': '文本到文本',
  'Subtracts from each score a number that grows with the logarithm (or a power) of the distance; each head learns how steeply.':
    '从每个分数减去随距离的对数（或幂）增长的数；每个头学习有多陡。',
  'yes: the logarithm goes on growing slowly, so far keys fade without vanishing':
    '可以：对数继续缓慢增长，远处的键渐弱而不消失',
  'two numbers a head, learns its own reach, runs longer than trained': '每个头两个数，学到自己的可及距离，能比训练时更长',
  'recency only; little used in released models': '只看远近；发布的模型很少用',
  'Takes from sinusoidal rows only what their dot product says about distance, and adds that to the scores: near keys gain, far ones fade slowly, and nothing is learned.':
    '只取正弦行的点积关于距离所说的话，加到分数上：近处的键增加，远处缓慢减弱，什么也不学。',
  'yes: falls like a logarithm at first and then levels off, at any length':
    '可以：先像对数那样下降，再趋平，长度不限',
  'no parameters, uses context beyond the trained length': '无参数，能利用训练长度以外的上下文',
  'not monotonous: far distances rise and fall a little; little used in released models':
    '不单调：远处略有起伏；发布的模型很少用',
  'Asks how far back a key is as a share of all that the query could look back to, and lets a small network turn that share into a number for each head.':
    '问键往回有多远，占查询能往回看的几分之几，再由小网络把这个份额变成每个头一个数。',
  'yes: the share stays within what training has seen, whatever the length':
    '可以：无论多长，份额都在训练见过的范围内',
  'one function for all lengths, can imitate T5, ALiBi and KERPLE':
    '一个函数用于所有长度，能模仿 T5、ALiBi 和 KERPLE',
  'costs a small network per query and key; the bias of a pair depends on the query\'s position':
    '每对查询和键要算一次小网络；一对的偏置取决于查询的位置',
  'length generalisation': '长度泛化',
  'arithmetic': '算术',
  'An image is cut into small windows, attention stays inside each, and every offset between two places of a window has a learned number per head.':
    '图像切成小窗口，注意力留在窗口内，窗口中两个位置之间的每种偏移在每个头有一个学习所得的数。',
  'not within a window; the table can be resized to another window, and any number of windows works':
    '窗口之内不行；表可以调整到别的窗口大小，窗口的个数不限',
  'knows direction in two axes, few parameters, exact for windows that are not square':
    '知道两个轴的方向，参数少，非正方形窗口也准确',
  'bound to the window\'s size': '与窗口大小绑定',
  'restoration': '复原',
  'Instead of a table, a small network reads the offset between two places on a logarithmic scale, so that it can be used with windows larger than those it was trained with.':
    '不用表，而由一个小网络在对数尺度上读两个位置之间的偏移，因此可用于比训练更大的窗口。',
  'to larger windows with little extrapolation of the coordinate, thanks to its logarithm':
    '可用于更大的窗口，靠对数坐标只需很少外推',
  'one network for windows of all sizes': '一个网络用于各种大小的窗口',
  'more parameters than a table; the bias lies between 0 and 16': '参数比一张表多；偏置在 0 与 16 之间',
  'detection and segmentation at several resolutions': '多种分辨率下的检测与分割',
  'Every offset between two patches of an image has a learned number per head, and the class token, which stands nowhere, has three of its own.':
    '图像两个图块之间的每种偏移在每个头有一个学习所得的数，没有位置的类别词元另有三个自己的数。',
  'by resizing the table to the new grid of patches': '把表调整到新的图块网格',
  'direction in two axes with a class token': '两个轴的方向，加上类别词元',
  'one grid per table; another image size needs a resized table': '一张表一种网格；别的图像尺寸要调整表',
  'masked image modelling': '掩码图像建模',
  'For tokens of a scanned page: learned numbers for how far apart two tokens are in the text, how far to the side and how far down the page, all added to the score.':
    '用于扫描页面的词元：两个词元在文本中、在页面的左右和上下相距多远，各有学习所得的数，都加到分数上。',
  'runs at any length and page size: far distances share the last bucket':
    '任意长度和页面大小可运行：远距离共用最后一个桶',
  'knows both reading order and the layout of the page': '既知道阅读顺序，也知道页面版面',
  'needs a box for every token': '每个词元都要有框',
  'tables': '表格',
  'receipts': '收据',
  'You say how each token relates to each other one (steps apart in a graph, parent and child in a syntax tree), and the model learns one number for each relation and head.':
    '由您说明每个词元与另一个的关系（图中相隔几步，句法树中的父与子），模型为每种关系、每个头学一个数。',
  'to any size of graph or text; a relation never seen in training has no trained number':
    '任意大小的图或文本；训练中没见过的关系没有训练所得的数',
  'any structure that can be named: graphs, trees, program dependences': '任何叫得出名字的结构：图、树、程序依赖',
  'needs an id for every pair; knows nothing of relations that were not given':
    '每一对都要有编号；没给出的关系它一无所知',
  'parsing': '句法分析',
  'source code': '源代码',
  'No position at all: what attention can and cannot see without one. A causal mask alone already tells a decoder something about order.':
    '完全没有位置：看看注意力在没有位置时能看到什么，看不到什么。仅因果掩码就已告诉解码器一些顺序。',
  'nothing to extrapolate; causal models still degrade beyond the trained length':
    '没有可外推的；因果模型超出训练长度仍会变差',
  'nothing to choose, nothing to compute': '无须选择，无须计算',
  'an encoder without a mask cannot tell one order of its tokens from another':
    '没有掩码的编码器分不清词元的两种顺序',
  'language models (causal)': '语言模型（因果）',
  'sets and point clouds': '集合与点云',
};
