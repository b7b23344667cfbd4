// Why an encoding is recommended, and what has to be minded.
export const reasons: Readonly<Record<string, string>> = {
  'Long encoders and language models of today use it, with a large base or a scaling.': '今天的长编码器和语言模型都用它，配大的基数或缩放。',
  'LongT5 keeps its buckets for local windows and summaries of blocks.': 'LongT5 在局部窗口和块摘要上沿用它的桶。',
  'Longformer and BigBird have tables of 4,096 rows, Longformer’s copied from those of a shorter model.':
    'Longformer 和 BigBird 有 4,096 行的表，Longformer 的由较短模型的表复制而来。',
  'Paragraph, sentence and place within it, each with rows of its own.': '段、句、句内位置，各有自己的行。',
  'Runs on documents longer than those of training; far pages fade.': '能用于比训练更长的文档；远处的页渐渐淡去。',
  'Rows for lines and for places within a line reach half a million tokens.': '行号的行加行内位置的行，可达五十万个词元。',
  'A row per step of the episode: return, state and action of one step share it, so positions repeat.':
    '每个时间步一行：同一步的回报、状态和动作共用它，所以位置会重复。',
  'An agent’s memory of earlier segments: distances stay right while the episode goes on.':
    '智能体对前几段的记忆：过程继续，距离一直正确。',
  'Tells return, state and action of one step apart.': '分清同一步的回报、状态和动作。',
  'Takes given positions, also repeated ones: tokens of one step turn alike.': '接受给定的位置，也可重复：同一步的词元转得一样。',
  'Steps of any number without a table; tokens of one step get equal rows.': '步数不限，无须表；同一步的词元得到相同的行。',
  'A bias of two-dimensional offsets for plain vision transformers, with rows of its own for the class token.':
    '普通视觉 Transformer 的二维偏移偏置，类别词元有自己的行。',
  'A causal mask alone lets a deep model find positions, and small models without any generalise well in length.':
    '只有因果掩码，深的模型也能找到位置；没有任何位置的小模型长度泛化良好。',
  'A convolution tells position by its padding and takes any size.': '卷积靠填充得知位置，大小不限。',
  'A few learned numbers per head, which follow the data.': '每个头几个学习所得的数，随数据而定。',
  'A learned number for every length of path between two nodes, as in Graphormer.':
    '两个节点之间的每种路径长度一个学习所得的数，如 Graphormer。',
  'A small network of logarithmic offsets.': '一个读对数偏移的小网络。',
  'A small network of the distance, relative to the query’s position.': '一个小网络，读相对于查询位置的距离。',
  'A straight penalty on distance, no parameters, and perplexity holds beyond the trained length.':
    '按距离直线惩罚，无参数，超出训练长度困惑度仍保持。',
  'A table of offsets within a window; for attention within windows.': '窗口内偏移的表；用于窗口内的注意力。',
  'A vector per modality beside the position, or ranges of positions reserved for each.':
    '位置之外每种模态一个向量，或给每种模态保留位置区间。',
  'ALiBi’s slope made a trained curve, two numbers per head.': '把 ALiBi 的斜线变成训练所得的曲线，每个头两个数。',
  'Adds where on the page a word is: the corners of its box.': '加上词在页面上的所在：它的框的角。',
  'All far distances share a bucket, so longer inputs are defined.': '所有远的距离共用一个桶，所以更长的输入也有定义。',
  'At such lengths the table is large and its far rows are rarely trained.': '长到这样，表很大，远处的行很少被训练到。',
  'Biases by distance along and down the page; goes well with boxes.': '按页面横向和纵向距离的偏置；适合与框一起用。',
  'Carries over to larger windows than it was trained on.': '能用于比训练时更大的窗口。',
  'Conformer encoders use it: robust to the length of the utterance.': 'Conformer 编码器用它：对语句长短稳健。',
  'Content looks at position and position at content; strong on understanding benchmarks.':
    '内容看位置，位置看内容；在理解类基准上表现强。',
  'Continuous coordinates of any dimension.': '任意维的连续坐标。',
  'Coordinates can be normalised to the image, so sizes may vary.': '坐标可以按图像归一化，所以尺寸可以变。',
  'Counts what the content says counts, such as sentences or lines.': '内容说什么算数就数什么，如句子或行。',
  'Defined at any distance.': '任何距离都有定义。',
  'Detection needs to know where a thing is: sines of row and column, laid side by side as DETR does.':
    '检测要知道东西在哪里：行和列的正弦并排，如 DETR。',
  'ESM-2 and many models of proteins and DNA use it.': 'ESM-2 和许多蛋白质与 DNA 模型用它。',
  'Eigenvectors of the graph, or random walks, say where a node is without numbering the nodes.':
    '图的特征向量或随机游走说明节点在哪里，不必给节点编号。',
  'Every query needs the gates of all keys before it, which is slower than a bias.':
    '每个查询都要它之前所有键的门，比偏置慢。',
  'For the order of the words, beside the boxes.': '在框之外说明词的次序。',
  'For the text side of two-tower models with a fixed length.': '用于双塔模型中长度固定的文本一侧。',
  'Free to take any shape where the length is fixed.': '长度固定时，可以学成任何形状。',
  'Holds up at resolutions other than the trained one.': '在训练之外的分辨率上仍然可用。',
  'It does not reach beyond its trained length without such a scaling: slow pairs meet angles that were never trained.':
    '没有这样的缩放，它到不了训练长度以外：慢的对会遇到从未训练过的角度。',
  'It knows distances alone; the place itself has to come from elsewhere.': '它只知道距离；所在之处要由别的东西给出。',
  'It says where a token is, not only how far from others.': '它说明词元在哪里，而不只是离别的有多远。',
  'Its decay has a direction: it needs causal attention.': '它的衰减有方向：需要因果注意力。',
  'Learned numbers for distances, exact near by and coarse far off; the usual choice of encoder-decoders.':
    '距离的学习所得的数，近处精确，远处粗略；编码器-解码器的常规选择。',
  'Learned rows and columns give every cell its place.': '学习所得的行和列给每一格它的处所。',
  'Learned vectors for near distances; a small gain over absolute positions in translation.':
    '近距离有学习所得的向量；在翻译上比绝对位置略好。',
  'Made for causal attention; with two sides it needs its symmetric form.': '为因果注意力而设；两侧都看时要用对称的形式。',
  'Made for two-sided encoders.': '为两侧都看的编码器而设。',
  'Many times the trained length: YaRN stretches the slow pairs and leaves the fast ones.':
    '训练长度的许多倍：YaRN 拉伸慢的对，不动快的对。',
  'Music Transformer builds on it: intervals and repetition are relations.': 'Music Transformer 以它为基础：音程和重复都是关系。',
  'Near neighbours get numbers of their own.': '近邻各有自己的数。',
  'Nearly all open language models since 2022 use it, so weights, engines and kernels fit.':
    '2022 年以来几乎所有开放的语言模型都用它，权重、引擎和算子都配合。',
  'No parameters, and falls with the logarithm of distance.': '无参数，按距离的对数下降。',
  'No parameters, any length, real positions; a sound baseline.': '无参数，长度不限，可用实数位置；可靠的基线。',
  'Normalised distances stay within what was trained, at any length.': '归一化的距离在任何长度都留在训练范围内。',
  'Nothing of it is trained.': '它没有任何要训练的东西。',
  'Offsets per axis keep the tables short.': '按轴的偏移使表很短。',
  'One row of full width per position is the most parameters of all.': '每个位置一整行，是参数最多的。',
  'Order means nothing in a set: without positions, and without a causal mask, reordered inputs give reordered outputs.':
    '次序在集合里没有意义：没有位置，也没有因果掩码，输入换次序，输出就同样换次序。',
  'Other image sizes need the table resampled, to a size and not by a ratio, best with further training.':
    '图像换了尺寸要重采样表，给的是尺寸而不是比例，最好再训练。',
  'Places in the syntax tree.': '句法树中的处所。',
  'Recent tokens count most, and the line goes on for any length.': '最近的词元最要紧，直线在任何长度都延伸。',
  'Relations of the syntax tree become biases; beside an encoding of the order.':
    '句法树的关系成为偏置；旁边另有次序的编码。',
  'RoPE with a decay per pair, meant for lengths beyond training with a window.':
    '每对带衰减的 RoPE，与窗口一起用于训练以外的长度。',
  'Rotated keys stay right in the cache; nothing has to be added to later scores.':
    '转过的键在缓存里一直正确；后来的分数不必再加什么。',
  'Rows and columns turn their own pairs; recent vision models (EVA-02, SAM 2, DINOv3) rely on it.':
    '行和列各转自己的对；近来的视觉模型（EVA-02、SAM 2、DINOv3）靠它。',
  'Rows come from a small network unrolled over positions; needs few parameters.':
    '行由沿位置展开的小网络得出；参数很少。',
  'Rows exist beyond the trained length, but models do poorly on rows they have never seen.':
    '超出训练长度也有行，但模型对从未见过的行表现不佳。',
  'Rows follow learned dynamics in continuous time.': '行跟随连续时间中学习所得的动力学。',
  'Rows plus columns of parameters in place of rows times columns.': '参数是行加列，而不是行乘列。',
  'Runs longer than it was trained as it stands.': '不加改动就能比训练时运行得更长。',
  'Says which part a token belongs to, not where it stands: use it with another encoding.':
    '说明词元属于哪一部分，而不是站在哪里：请与另一个编码一起用。',
  'Segments with a memory of the one before stay consistent.': '带着上一段记忆的各段保持一致。',
  'Short inputs of a fixed length: a table is simple, and nothing else does clearly better.':
    '长度固定的短输入：表很简单，别的也没有明显更好。',
  'Sines of random projections let a network follow fine detail of the coordinates.':
    '随机投影的正弦让网络跟得上坐标的细节。',
  'Sines of the four coordinates of a box, side by side.': '框的四个坐标的正弦，并排放置。',
  'Sines of the coordinates: no parameters and any size of image.': '坐标的正弦：无参数，图像大小不限。',
  'Takes real positions, so the times of irregular samples go in as they are.': '可用实数位置，不均匀采样的时间可以直接用。',
  'Takes the coordinates themselves, scaled to a stated range.': '直接用坐标，缩放到给定的范围。',
  'Terms for height and width that look at the query, as in MViTv2 and Segment Anything.':
    '看查询的高和宽两项，如 MViTv2 和 Segment Anything。',
  'Text, images and video in one sequence: time, row and column turn sections of the same pairs.':
    '文本、图像和视频在一个序列里：时间、行、列各转同一批对中的一段。',
  'The logarithmic form keeps distances far beyond training in a mild range.':
    '对数形式使远超训练的距离仍在温和的范围内。',
  'The original of translation models; as good there as a learned table, without parameters.':
    '翻译模型最初的选择；在那里与可学习的表一样好，而且无参数。',
  'The score depends on the distance, without a table and with any fast attention.':
    '分数取决于距离，没有表，适合任何快速注意力。',
  'There are no rows beyond the trained length.': '超出训练长度没有行。',
  'TimeSformer adds a table of times to that of space, both learned.': 'TimeSformer 在空间的表上加一张时间的表，两者都学习所得。',
  'Times go in as they are, scaled to a stated range.': '时间直接用，缩放到给定的范围。',
  'Two short tables stand for a very long one.': '两张短表代替一张很长的表。',
  'Up to about twice the trained length: positions scaled down, best with a little further training.':
    '约到训练长度的两倍：把位置缩小，最好再训练一点。',
  'Used by the first protein models, for a fixed length.': '最早的蛋白质模型用它，长度固定。',
  'ViT’s learned table of patches: simple, and as good as two-dimensional sines there.':
    'ViT 的可学习图块表：简单，在那里与二维正弦一样好。',
  'What it gains is robustness, not reach: far tokens are penalised ever more.':
    '得到的是稳健，不是视野：远处的词元受的惩罚越来越大。',
  'Where all structure is in the features.': '结构全在特征里时。',
  'Where image tokens are simply laid into the text.': '图像词元直接放进文本时。',
  'Where tokens carry their coordinates already, the order of the list means nothing.':
    '词元已带着坐标时，列表的次序没有意义。',
  'Whisper’s encoder numbers its frames so.': 'Whisper 的编码器这样给帧编号。',
  'Without a causal mask attention without positions cannot tell orders apart.':
    '没有因果掩码，没有位置的注意力分不清次序。',
  'Works by distance and takes real positions, such as times.': '按距离起作用，可用实数位置，如时间。',
  'wav2vec 2.0 and HuBERT place their frames by a grouped convolution.': 'wav2vec 2.0 和 HuBERT 用分组卷积给帧定位。',
};
