// What encodings are good and bad at, and used for.
export const traits: Readonly<Record<string, string>> = {
  'rows exist for every position, but models trained short do poorly on rows never seen':
    '每个位置都有一行，但在短序列上训练的模型遇到没见过的行表现不佳',
  'no parameters, any length, real positions, differences of position are rotations':
    '无参数，长度不限，可用实数位置，位置之差就是旋转',
  'weak extrapolation in practice; mixes position and content in one sum': '实际外推较弱；位置与内容混在一个和里',
  'translation': '翻译',
  'speech': '语音',
  'classification': '分类',
  'no: there is no row beyond the table; it can be resampled to a longer one and trained on':
    '不行：表以外没有行；可以重采样成更长的表再继续训练',
  'simple, fast, learns whatever the data have': '简单、快，数据里有什么就学什么',
  'a fixed longest length, rows near the end are seldom trained, one more table to store':
    '最大长度固定，靠近末尾的行很少被训练到，还要多存一张表',
  'language models of fixed length': '固定长度的语言模型',
  'retrieval': '检索',
  'other grids by resampling, with some loss; per-axis tables end where they end':
    '靠重采样用于别的网格，有些损失；按轴的表到头就没有了',
  'learns what the images have; resampling carries it to other sizes': '学到图像里有的东西；重采样使它能用于别的尺寸',
  'tied to the trained grid; far from it quality falls without further training':
    '与训练的网格绑定；离得远了，不再训练质量就下降',
  'image classification': '图像分类',
  'detection': '检测',
  'video': '视频',
  'no beyond the grid, unless rows are clamped or repeated': '网格以外不行，除非截断或重复各行',
  'few parameters for very long sequences, natural for images': '极长的序列只需很少参数，图像天然适合',
  'the same structure is imposed on every line; neighbours across a line break look far apart':
    '每一行都被强加同样的结构；换行处的邻居看起来相距很远',
  'very long sequences': '极长的序列',
  'image generation': '图像生成',
  'no beyond the last block': '最后一个块以外不行',
  'few rows for long inputs, and structure of the text made plain': '长输入只需很少的行，文本结构一目了然',
  'neighbours across a boundary look far apart': '跨越边界的邻居看起来相距很远',
  'documents': '文档',
  'dialogue': '对话',
  'long sequences': '长序列',
  'to any length, since it does not look at the place': '任意长度，因为它不看位置',
  'keeps parts of an input apart at almost no cost': '几乎不花代价就把输入的各部分分开',
  'says nothing about order; a type never trained has no meaning': '不含任何顺序；没训练过的类型没有意义',
  'sentence pairs': '句对',
  'multimodal input': '多模态输入',
  'no: coordinates are scaled to the table\'s range beforehand': '不行：坐标事先缩放到表的范围',
  'layout becomes an input like any other; tables and forms become readable':
    '版面像其他输入一样进入模型；表格和表单变得可读',
  'needs boxes from OCR, scaled to the same range everywhere': '需要 OCR 给出的框，而且处处缩放到同一范围',
  'forms': '表单',
  'invoices': '发票',
  'document understanding': '文档理解',
  'no: coordinates outside the range are refused or clamped': '不行：范围以外的坐标被拒绝或截断',
  'real positions, any number of axes, smooth in the coordinates': '实数位置，任意轴数，随坐标平滑变化',
  'linear features alone carry little detail; the range must be known': '只有线性特征时细节很少；必须知道范围',
  'point clouds': '点云',
  'time series with gaps': '有缺口的时间序列',
  'geography': '地理',
  'no: there are no coefficients beyond the table': '不行：表以外没有系数',
  'a fraction of the parameters; shows how much a trained table really holds':
    '参数只是一小部分；显示训练所得的表到底含有多少',
  'one more product per row; the rank has to be chosen': '每行多一次乘积；秩要自己选',
  'compression': '压缩',
  'study of trained tables': '研究训练所得的表',
  'few numbers per position, shared structure between positions': '每个位置只需几个数，位置之间共享结构',
  'the choice of rows is not trained by gradients': '取哪些行不由梯度训练',
  'rows exist for every coordinate; images larger than those trained on are usually normalised to the same range':
    '每个坐标都有行；比训练更大的图像通常归一化到同一范围',
  'no parameters, any grid size and number of axes, real coordinates': '无参数，任意大小和轴数的网格，可用实数坐标',
  'axes are encoded apart: how rows and columns interact is left to the model':
    '各轴分开编码：行列如何相互作用留给模型',
  'object detection': '目标检测',
  'image and video transformers': '图像与视频 Transformer',
  'segmentation': '分割',
  'defined for all real coordinates; a network on top has only seen the trained range':
    '对所有实数坐标有定义；上面的网络只见过训练的范围',
  'real coordinates of any number of axes; detail is set by one number': '任意轴数的实数坐标；细节由一个数决定',
  'sigma or the number of bands has to be tuned to the range of the coordinates':
    'sigma 或频带数要按坐标范围调整',
  'points': '点',
  'fields and scenes': '场与场景',
  'boxes and prompts': '框与提示',
  'time series at uneven times': '时间不均匀的序列',
  'no: a place whose digit was always 0 in training has no trained vector for the others, so a model trained on 0 to 127 knows nothing of bit 7':
    '不行：训练中某一位总是 0，其他数字的向量就没有训练过，只训练 0 到 127 的模型对第 7 位一无所知',
  'very few parameters for very long ranges': '极长的范围只需很少的参数',
  'neighbours may differ in many digits (127 and 128 in all eight bits); the Gray code mends that':
    '邻居可能有许多位不同（127 与 128 八位全不同）；格雷码可以弥补',
  'memory-bound models': '内存受限的模型',
  'studies': '研究',
  'defined for all real positions; beyond the trained range it goes on as the activation does: in straight lines, or flat with tanh':
    '对所有实数位置有定义；超出训练范围后随激活函数延续：直线，或用 tanh 时变平',
  'real coordinates, few parameters, smooth rows': '实数坐标，参数少，行平滑',
  'networks of bare coordinates learn slow change first: neighbours far out are hard to tell apart; use Fourier features there':
    '只看坐标的网络先学慢变化：远处的邻居难以分辨；那里请用傅里叶特征',
  'continuous time': '连续时间',
  'yes: any length or grid, the filters stay the same': '可以：任意长度或网格，滤波器不变',
  'any size of image or length of sound, adapts to the content, keeps the equivariance to shifts inside':
    '任意大小的图像或长度的声音，随内容调整，内部保持平移等变',
  'needs neighbours in a fixed order; absolute place is known near the edges only':
    '邻居要有固定的顺序；绝对位置只在边缘附近可知',
  'image classification and detection': '图像分类与检测',
  'runs on beyond the trained length, but most networks settle at a fixed point, where all rows are alike':
    '超出训练长度后继续走，但多数网络会停在不动点，那里各行都一样',
  'parameters do not grow with the length; learns any regular progression': '参数不随长度增长；能学任何有规律的推进',
  'rows are made one after the other; gradients fade or grow over many steps':
    '各行只能一行接一行地得出；经过许多步梯度会消失或爆炸',
  'the equation goes on beyond the trained length, as far as what it learned holds there':
    '方程在训练长度之外继续，只要它学到的在那里仍成立',
  'real positions, few parameters, smooth rows, contains sinusoidal rows as a special case':
    '实数位置，参数少，行平滑，正弦行是它的特例',
  'rows are made one after the other, and training goes back through all the steps':
    '各行一行接一行地得出，训练要倒回所有步',
  'text classification': '文本分类',
  'question answering (FLOATER\'s experiments); uneven times': '问答（FLOATER 的实验）；不均匀的时间',
  'made for each graph anew, of any size': '为每个图重新得出，大小不限',
  'tells nodes apart by structure alone': '只凭结构就能分辨节点',
  'the sign of an eigenvector, and its direction where eigenvalues repeat, mean nothing: train with random signs; direction of edges is not seen':
    '特征向量的符号，以及特征值重复时的方向，没有意义：训练时用随机符号；看不见边的方向',
  'molecules': '分子',
  'graphs': '图',
  'syntax trees': '句法树',
  'code': '代码',
  'not by itself: slow pairs meet angles never trained; a scaling (linear, NTK, YaRN, LongRoPE, llama3) stretches them':
    '本身不行：慢的对会遇到没训练过的角度；缩放（linear、NTK、YaRN、LongRoPE、llama3）把它们拉伸',
  'relative without a bias matrix, no parameters, works with any fast attention and with a cache of keys':
    '相对而无须偏置矩阵，无参数，适合任何快速注意力和键的缓存',
  'needs a scaling beyond the trained length; two incompatible channel layouts are in use':
    '超出训练长度需要缩放；通行两种互不兼容的通道布局',
  'language models': '语言模型',
  'long documents': '长文档',
  'protein and DNA': '蛋白质与 DNA',
  'to other grids better than learned tables do; coordinates scaled to the grid (DINOv3, EVA-02) meet no angles that were not trained':
    '用于别的网格比可学习的表好；按网格缩放的坐标（DINOv3、EVA-02）不会遇到没训练过的角度',
  'any grid, also one that is not square, without a table to resize; no parameters':
    '任意网格，不必是正方形，没有要调整大小的表；无参数',
  'directions off the axes are seen only through both; many incompatible conventions are in use':
    '偏离轴的方向只能通过两个轴看到；通行许多互不兼容的约定',
  'vision language models': '视觉语言模型',
  'as RoPE does; pictures take fewer positions than tokens, which leaves room for long videos':
    '与 RoPE 相同；图片占的位置比词元少，给长视频留下余地',
  'one rotation for text and pictures, the text part of a trained model unchanged, no parameters':
    '文本和图片共用一次旋转，已训练模型的文本部分不变，无参数',
  'chunked sections give height and width slow pairs only; positions have to be made for every sequence':
    '分块的段只给高和宽慢的对；每个序列都要算位置',
  'video understanding': '视频理解',
  'better than RoPE without any scaling, best together with attention in windows; causal models only':
    '不加缩放就比 RoPE 好，与窗口注意力一起最好；只用于因果模型',
  'scores fade smoothly with distance, no parameters, a cache of keys works':
    '分数随距离平滑衰减，无参数，可用键的缓存',
  'keys ahead of the query would grow instead of fade: for causal attention; queries and keys need their sides':
    '查询之后的键会增长而不是衰减：只用于因果注意力；查询和键要分清',
  'yes: the penalty goes on growing, so far keys fade out instead of surprising the model':
    '可以：惩罚继续增长，远处的键渐渐消失，而不会让模型意外',
  'no parameters, no cost in the embedding, trains short and runs longer': '无参数，嵌入无开销，训练时短，运行时长',
  'favours recency: content far back is hard to reach in heads with steep slopes':
    '偏爱最近的内容：斜率大的头很难够到很远之前',
  'yes: beyond the limit all distances look alike': '可以：上限以外所有距离看起来一样',
  'few parameters, shared by all heads; a head can attend to exact small distances, whatever the length':
    '参数少，各头共用；无论多长，头都能准确关注小的距离',
  'far distances are not told apart; costs one more product per tile': '分辨不出远的距离；每个分块多一次乘积',
  'speech recognition': '语音识别',
  'music': '音乐',
  'encoders': '编码器',
  'yes: sines exist for every distance, and clampLength makes far ones alike':
    '可以：每个距离都有正弦，clampLength 使远处的都一样',
  'distances of any length, memory of earlier segments, content and distance kept apart':
    '距离不限，能记住之前的段，内容与距离分开',
  'projects a row for every distance in every layer': '每层都要为每个距离投影一行',
  'language models with memory': '带记忆的语言模型',
  'yes: distances beyond the last bucket share its row': '可以：最后一个桶以外的距离共用它的行',
  'the strongest small encoders; position is kept apart from content all the way':
    '最强的小型编码器；位置始终与内容分开',
  'two more products per pair; logarithmic buckets blur far distances': '每一对多两次乘积；对数的桶使远距离模糊',
  'question answering': '问答',
  'token labelling': '词元标注',
  'by resampling the tables to the new grid': '把表重采样到新的网格',
  '2(H + W) rows instead of 4HW; works in windows and over the whole image':
    '2(H + W) 行代替 4HW 行；可用于窗口，也可用于整幅图像',
  'rows and columns cannot act together; tables belong to a grid size': '行与列不能共同起作用；表属于一种网格大小',
  'partly: counted positions grow more slowly than tokens, and those beyond the last row share it':
    '部分可以：数出来的位置比词元增长得慢，最后一行以外的共用它',
  'counts things, finds the last sentence, copies selectively, where token distances fail':
    '能计数，能找到最后一句，能有选择地复制，这些是词元距离做不到的',
  'needs the products of a whole row before its positions are known; slower, and rarely used':
    '要先有整行的乘积才知道位置；较慢，很少使用',
  'counting': '计数',
  'selective copying': '选择性复制',
  'runs at any length: all far distances share the last bucket, so nothing is unseen':
    '任意长度可运行：所有远距离共用最后一个桶，没有未见过的',
  'few parameters, learns which distances matter to each head': '参数少，学到哪些距离对哪个头重要',
  'far distances are not told apart; the table has to be trained': '分辨不出远的距离；表需要训练',
  'summarization': '摘要',
  'text to text': '文本到文本',
  'yes: the logarithm goes on growing slowly, so far keys fade without vanishing':
    '可以：对数继续缓慢增长，远处的键渐弱而不消失',
  'two numbers a head, learns its own reach, runs longer than trained': '每个头两个数，学到自己的可及距离，能比训练时更长',
  'recency only; little used in released models': '只看远近；发布的模型很少用',
  'yes: falls like a logarithm at first and then levels off, at any length':
    '可以：先像对数那样下降，再趋平，长度不限',
  'no parameters, uses context beyond the trained length': '无参数，能利用训练长度以外的上下文',
  'not monotonous: far distances rise and fall a little; little used in released models':
    '不单调：远处略有起伏；发布的模型很少用',
  'yes: the share stays within what training has seen, whatever the length':
    '可以：无论多长，份额都在训练见过的范围内',
  'one function for all lengths, can imitate T5, ALiBi and KERPLE':
    '一个函数用于所有长度，能模仿 T5、ALiBi 和 KERPLE',
  'costs a small network per query and key; the bias of a pair depends on the query\'s position':
    '每对查询和键要算一次小网络；一对的偏置取决于查询的位置',
  'length generalisation': '长度泛化',
  'arithmetic': '算术',
  'not within a window; the table can be resized to another window, and any number of windows works':
    '窗口之内不行；表可以调整到别的窗口大小，窗口的个数不限',
  'knows direction in two axes, few parameters, exact for windows that are not square':
    '知道两个轴的方向，参数少，非正方形窗口也准确',
  'bound to the window\'s size': '与窗口大小绑定',
  'restoration': '复原',
  'to larger windows with little extrapolation of the coordinate, thanks to its logarithm':
    '可用于更大的窗口，靠对数坐标只需很少外推',
  'one network for windows of all sizes': '一个网络用于各种大小的窗口',
  'more parameters than a table; the bias lies between 0 and 16': '参数比一张表多；偏置在 0 与 16 之间',
  'detection and segmentation at several resolutions': '多种分辨率下的检测与分割',
  'by resizing the table to the new grid of patches': '把表调整到新的图块网格',
  'direction in two axes with a class token': '两个轴的方向，加上类别词元',
  'one grid per table; another image size needs a resized table': '一张表一种网格；别的图像尺寸要调整表',
  'masked image modelling': '掩码图像建模',
  'runs at any length and page size: far distances share the last bucket':
    '任意长度和页面大小可运行：远距离共用最后一个桶',
  'knows both reading order and the layout of the page': '既知道阅读顺序，也知道页面版面',
  'needs a box for every token': '每个词元都要有框',
  'tables': '表格',
  'receipts': '收据',
  'to any size of graph or text; a relation never seen in training has no trained number':
    '任意大小的图或文本；训练中没见过的关系没有训练所得的数',
  'any structure that can be named: graphs, trees, program dependences': '任何叫得出名字的结构：图、树、程序依赖',
  'needs an id for every pair; knows nothing of relations that were not given':
    '每一对都要有编号；没给出的关系它一无所知',
  'parsing': '句法分析',
  'source code': '源代码',
  'nothing to extrapolate; causal models still degrade beyond the trained length':
    '没有可外推的；因果模型超出训练长度仍会变差',
  'nothing to choose, nothing to compute': '无须选择，无须计算',
  'an encoder without a mask cannot tell one order of its tokens from another':
    '没有掩码的编码器分不清词元的两种顺序',
  'language models (causal)': '语言模型（因果）',
  'sets and point clouds': '集合与点云',
};
