// Titles, captions and readings of pictures.
export const pictures: Readonly<Record<string, string>> = {
  'Encoding': '编码',
  'Options': '选项',
  'none': '无',
  'query': '查询',
  'key': '键',
  'key − query': '键 − 查询',
  'Scores': '分数',
  'Attention': '注意力',
  'the head that is shown': '显示哪个头',
  'hide keys that come after the query': '遮住查询之后的键',
  'Play': '播放',
  'head {0}': '头 {0}',
  'bias': '偏置',
  'Bias by distance, one line per head': '偏置随距离的变化，每个头一条线',
  'the cell that looks at the others': '向其他格看的那一格',
  'the head whose matrix and pattern are shown': '显示哪个头的矩阵和图案',
  'Bias of head {0}': '头 {0} 的偏置',
  'Tokens are the nodes of a binary tree here, related by the steps between them.':
    '这里的词元是一棵二叉树的节点，关系是两者之间的步数。',
  'Matrix of head {0}': '头 {0} 的矩阵',
  'Added to the scores before the softmax.': '在 softmax 之前加到分数上。',
  'Keys after the query are hidden.': '查询之后的键被遮住。',
  'What cell {0} adds to its scores': '格 {0} 给它的分数加上什么',
  'The bias of head {0} from this cell to every other. Play moves the cell.':
    '头 {0} 从这一格到其他每一格的偏置。播放会移动这一格。',
  'Bias by distance': '偏置随距离的变化',
  'What is added to the score, by how far the key is from the query; one line per head.':
    '按键离查询多远，加到分数上的量；每个头一条线。',
  'Bias': '偏置',
  'A number is added to the score of a query and a key, from where they stand.':
    '按查询和键所在的位置，给它们的分数加上一个数。',
  'Weights of head {0} where all scores are equal but for the bias.': '除偏置外所有分数都相等时，头 {0} 的权重。',
  'Weights of head {0} for random vectors.': '随机向量时，头 {0} 的权重。',
  'What is added to the scores': '加到分数上的量',
  'Scores with the encoding less scores without it, for every query and key.':
    '对每个查询和键，有编码的分数减去没有编码的分数。',
  'term': '项',
  'The same by distance, for keys before the query: the mean, and the range that comes from the content.':
    '同样的量按距离看，取查询之前的键：平均值，以及来自内容的范围。',
  'What is added, by distance': '加上的量随距离的变化',
  'Attention weights': '注意力权重',
  'Relative': '相对',
  'The score of a query and a key gets terms that look at the content as well as at how far apart they are.':
    '查询和键的分数得到若干项，既看两者相距多远，也看内容。',
  'Weights of a head that sees the same vector everywhere.': '处处看到同一向量的头的权重。',
  'Weights of a head that sees random vectors.': '看到随机向量的头的权重。',
  'None': '无',
  'No position at all: attention sees a set, and a causal mask alone gives it an order.':
    '完全没有位置：注意力看到的是集合，只有因果掩码给它顺序。',
  'Equal tokens get equal weights: each row is flat over what it may see.':
    '相同的词元得到相同的权重：每一行在它能看到的范围内是平的。',
  'Random tokens: weights follow content alone, and no diagonal stands out.':
    '随机词元：权重只跟随内容，没有突出的对角线。',
  'number of positions': '位置个数',
  'rows of the grid': '网格的行数',
  'columns of the grid': '网格的列数',
  'frames, each with a grid': '帧数，每帧一个网格',
  'position': '位置',
  'cell': '格',
  'channel': '通道',
  'Rows of the encoding': '编码的各行',
  'the channel drawn over the grid': '画在网格上的通道',
  'the cell that others are compared with': '与其他格比较的那一格',
  'Weights of a head whose queries and keys are tokens of ones plus the rows.':
    '查询和键都是全一词元加上编码行时，一个头的权重。',
  'Weights of a head whose queries and keys are the rows alone.': '查询和键只是编码行本身时，一个头的权重。',
  'Weights of a head whose queries and keys are random tokens plus the rows.':
    '查询和键是随机词元加上编码行时，一个头的权重。',
  'Channel {0} over the grid': '通道 {0} 在网格上',
  'One number of every cell’s vector. Play goes through all channels.': '每一格向量中的一个数。播放会走遍所有通道。',
  'All {0} coordinates of position i are i.': '位置 i 的 {0} 个坐标都是 i。',
  'Rows are made from the tokens: here all are ones, and what differs comes from the edges.':
    '这些行由词元得出：这里全是一，差别来自边缘。',
  'All channels': '所有通道',
  'The encoding itself': '编码本身',
  'Every column of the picture is the vector of one cell, row by row, channel 0 at the bottom.':
    '图的每一列是一格的向量，逐行排列，通道 0 在最下面。',
  'Every column of the picture is the vector of one position, channel 0 at the bottom.':
    '图的每一列是一个位置的向量，通道 0 在最下面。',
  'Product of one cell’s vector with that of every other.': '一格的向量与其他每一格向量的乘积。',
  'Product of two rows by the distance k between them: the mean over all p, and the range where it depends on p.':
    '两行的乘积，按它们之间的距离 k：对所有 p 的平均，以及随 p 变化时的范围。',
  'Input': '输入',
  'A vector for every position, added to the token before the first layer.':
    '每个位置一个向量，在第一层之前加到词元上。',
  'frame, row': '帧，行',
  'row': '行',
  'column': '列',
  'Similarity to cell {0}': '与格 {0} 的相似度',
  'Attention pattern': '注意力图案',
  'Cosines': '余弦',
  'Sines': '正弦',
  'Cosines of the angle of every pair, by {0}: what queries and keys are multiplied with.':
    '每一对的角度的余弦，按{0}：查询和键要乘的量。',
  'Sines of the angle of every pair, by {0}: what queries and keys are multiplied with.':
    '每一对的角度的正弦，按{0}：查询和键要乘的量。',
  'pair': '对',
  'Cosines of the angles': '角度的余弦',
  'Sines of the angles': '角度的正弦',
  'Period of each pair': '每一对的周期',
  'Positions until a pair has made one full turn. Fast pairs tell neighbours apart, slow ones tell near from far.':
    '一对转满一圈要经过多少个位置。快的对分辨邻居，慢的对分辨远近。',
  'period': '周期',
  'axis {0}': '轴 {0}',
  'period in positions': '周期（位置数）',
  'Product of two equal vectors (1, 1, …), rotated at two positions: one cell with every other; 1 where they coincide.':
    '两个相同向量 (1, 1, …) 在两个位置旋转后的乘积：一格与其他每一格；重合处为 1。',
  'Product of two equal vectors (1, 1, …), rotated at two positions, by their distance; 1 where they coincide.':
    '两个相同向量 (1, 1, …) 在两个位置旋转后的乘积，按它们的距离；重合处为 1。',
  'Rotary': '旋转',
  'Queries and keys are rotated, pair by pair, so that their product depends on how far apart they are.':
    '查询和键一对一对地旋转，使它们的乘积取决于相距多远。',
  'Every pair at cell {0}': '格 {0} 处的每一对',
  'Every pair at position {0}': '位置 {0} 处的每一对',
  'Each pair of channels turns at its own speed. The dots are the ten cells before.':
    '每对通道以自己的速度转动。小点是之前的十格。',
  'Each pair of channels turns at its own speed. The dots are the ten positions before.':
    '每对通道以自己的速度转动。小点是之前的十个位置。',
  'equal tokens, so that position alone makes the pattern, or random ones':
    'alike：相同的词元，图案只来自位置；random：随机词元',
  'Similarity by distance': '相似度随距离的变化',
  'mean': '平均',
  'distance': '距离',
  'Point at the picture, or focus it and use the arrow keys, to read a value.':
    '指向图，或让它获得焦点后用方向键，读出数值。',
  'Table of values': '数值表',
  'Values': '数值',
  '{0}: heat map of {1} by {2} values ({3} by {4}), from {5} to {6}.':
    '{0}：{1} 乘 {2} 个值的热力图（{3} 对 {4}），从 {5} 到 {6}。',
  'The first {0} of {1} rows and {2} of {3} columns.': '{1} 行中的前 {0} 行，{3} 列中的前 {2} 列。',
  'All values.': '全部数值。',
  'The first {0} of {1} lines.': '{1} 条线中的前 {0} 条。',
  '{0}: a line of {1} points, {2} by {3}, from {4} to {5}.':
    '{0}：一条 {1} 个点的线，{2} 对 {3}，从 {4} 到 {5}。',
  '{0}: {1} lines of {2} points, {3} by {4}.': '{0}：{1} 条各 {2} 个点的线，{3} 对 {4}。',
  'pair {0}': '对 {0}',
  'period {0} positions': '周期 {0} 个位置',
  'Values: move with the arrow keys, by ten with shift': '数值：用方向键移动，按住 Shift 一次十格',
  'Save as {0}': '存为 {0}',
  'Save this picture': '保存这幅图',
  'All': '全部',
  'Family': '类别',
  'No': '不行',
  'any': '任意',
  'head': '头',
  'The table': '整张表',
  'turns': '圈数',
  'whole numbers': '整数',
  'Kind': '种类',
  'Positions': '位置',
  '{0} positions': '{0} 个位置',
  '{0} of {1}': '{1} 中的 {0}',
  'heads': '头数',
  'seen': '可见',
  'scale': '缩放',
  'softcap': 'softcap（软截断）',
  'all': '全部',
  'window': '窗口',
  'pairs': '配对',
  'before the first layer': '第一层之前',
  'scaling': '缩放',
};
