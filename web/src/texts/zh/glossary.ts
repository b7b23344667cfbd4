// The glossary.
export const glossary: Readonly<Record<string, string>> = {
  'The words that these pages use, each in a sentence or two.': '这些页面用到的词，每个一两句话。',
  'Absolute position': '绝对位置',
  'Where a token stands, counted from the start: the third word, row 2 and column 5. A head that knows it can treat the first token differently from all others.':
    '词元站在哪里，从头数起：第三个词，第 2 行第 5 列。知道绝对位置的头可以把第一个词元与其他词元区别对待。',
  'Relative position': '相对位置',
  'How far one token stands from another, with its sign. It does not change when all tokens are moved together.':
    '一个词元离另一个有多远，带符号。所有词元一起移动时它不变。',
  'Each query is compared with all keys; the scores become weights that add up to one, and the output is the weighted mean of the values. Nothing in this depends on the order of the tokens.':
    '每个查询与所有键比较；分数变成和为一的权重，输出是值的加权平均。这里没有任何一步取决于词元的顺序。',
  'Query, key, value': '查询、键、值',
  'Three vectors made from each token: what it looks for, what it offers to be found by, and what it hands over when it is found.':
    '由每个词元得到的三个向量：它在找什么，它凭什么被找到，被找到时它交出什么。',
  'Score': '分数',
  'The product of a query and a key, times a scale, before the softmax. Biases are added here.':
    '查询与键的乘积，乘以缩放，在 softmax 之前。偏置就加在这里。',
  'Softmax': 'Softmax',
  'Turns scores into weights: powers of e, divided by their sum. What is added to a score becomes a factor on the weight.':
    '把分数变成权重：取 e 的幂，再除以它们的和。加在分数上的量，在权重上成为一个因子。',
  'Causal mask': '因果掩码',
  'Hides all keys after the query, so that a model can be trained to predict the next token. It breaks the symmetry of the set, which is how a causal model without positions can still count.':
    '遮住查询之后的所有键，模型因此可以被训练来预测下一个词元。它打破了集合的对称，没有位置的因果模型正是靠它还能计数。',
  'Head': '头',
  'Attention is computed several times side by side, each in a part of the channels. Many encodings treat heads differently, so that some look near and others far.':
    '注意力在通道的不同部分里并排计算若干次。许多编码对各个头区别对待，有的看近，有的看远。',
  'Channel': '通道',
  'One number of a vector. An encoding of width 16 gives each position 16 channels.':
    '向量里的一个数。宽度为 16 的编码给每个位置 16 个通道。',
  'Equivariant': '等变',
  'When the input is reordered, the output is reordered in the same way and otherwise unchanged. Attention without positions and without a mask is equivariant to every reordering.':
    '输入换了顺序，输出也同样换顺序，此外不变。没有位置、没有掩码的注意力对任何重排都等变。',
  'Frequency, wavelength': '频率、波长',
  'How fast an angle grows with the position, and after how many positions it has made a full turn. Each is the other\'s inverse, times one turn.':
    '角度随位置增长得多快，以及经过多少个位置转满一圈。两者互为倒数，差一圈的因子。',
  'Base': '基数',
  'The number whose powers give the frequencies; 10,000 in the first papers. A larger base makes the slow channels slower and leaves the fastest one as it is.':
    '它的幂给出各个频率；最早的论文取 10,000。基数越大，慢的通道越慢，最快的那个不变。',
  'Pair': '一对',
  'Two channels that are rotated together, as a point in a plane. Layouts differ in which two: neighbours (interleaved), or one from each half (half).':
    '一起旋转的两个通道，当作平面上的一个点。布局不同，配对也不同：相邻的两个（interleaved），或前后两半各取一个（half）。',
  'Layout': '布局',
  'Which channels form a pair. Weights trained with one layout give nonsense with the other, without any error.':
    '哪些通道配成一对。用一种布局训练的权重换成另一种，会得出毫无意义的结果，却不报任何错误。',
  'A number added to the score, from the two positions and the head alone, whatever the content.':
    '加在分数上的一个数，只由两个位置和头决定，与内容无关。',
  'Bucket': '桶',
  'A range of distances that share one trained number: narrow nearby, wide far away.':
    '共用一个训练所得数值的一段距离：近处窄，远处宽。',
  'Slope': '斜率',
  'How much a score falls per token of distance in a linear bias; each head has its own.':
    '线性偏置中，每远一个词元分数下降多少；每个头有自己的斜率。',
  'Window': '窗口',
  'The part of the input that a query may look at, such as the last 4,096 tokens or a square of 7 by 7 patches.':
    '查询可以看到的那部分输入，例如最近 4,096 个词元，或 7 乘 7 的图块。',
  'Extrapolation': '外推',
  'Running a model on positions that it was not trained on. That an encoding is defined there does not mean that the model copes with it.':
    '让模型在没有训练过的位置上运行。编码在那里有定义，不等于模型能应付。',
  'Interpolation': '内插',
  'Squeezing longer inputs into the range of positions that was trained, so that nothing is new but neighbours stand closer together.':
    '把更长的输入挤进训练过的位置范围，于是没有新的位置，只是邻居靠得更近。',
  'Scaling of RoPE': 'RoPE 的缩放',
  'A rule that slows some or all pairs down for inputs longer than those trained on: linear, NTK, YaRN, LongRoPE and others.':
    '为比训练更长的输入放慢部分或全部通道对的规则：linear、NTK、YaRN、LongRoPE 等。',
  'Resampling': '重采样',
  'Making a longer table or a larger grid from a trained one, by taking values between its rows.':
    '在训练所得的行之间取值，得到更长的表或更大的网格。',
  'Patch': '图块',
  'A square of an image, 16 by 16 pixels for instance, that is one token of a vision model.':
    '图像中的一个方块，例如 16 乘 16 像素，是视觉模型的一个词元。',
  'Made of numbers that training changes. What is not trainable is a formula with the same values from the first step to the last.':
    '由训练会改变的数构成。不可训练的则是一个公式，从第一步到最后一步取值不变。',
  'Key and value cache': '键值缓存',
  'Keys and values of earlier tokens, kept while text is generated. With rotary encodings it matters whether the kept keys have been rotated already.':
    '生成文本时保留的先前词元的键和值。用旋转编码时要留意：保留的键是否已经旋转过。',
};
