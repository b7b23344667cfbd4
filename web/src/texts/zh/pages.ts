// What stands in the HTML of the pages.
export const pages: Readonly<Record<string, string>> = {
  'Benchmark · posenc': '基准测试 · posenc',
  'Skip to the content': '跳到正文',
  'Encodings': '编码',
  'Compare': '比较',
  'Lengths': '长度',
  'Choose': '选择',
  'Inspect': '检视',
  'Benchmark': '基准',
  'How fast on this device?': '在这台设备上有多快？',
  'Strengths and limits': '优势与局限',
  'What models use': '各模型的选择',
  'Run': '运行',
  'Results': '结果',
  'Copy as Markdown': '复制为 Markdown',
  'Save JSON': '保存 JSON',
  'Save CSV': '保存 CSV',
  'This device': '本机',
  'How it is measured': '怎样测量',
  'Every number on these pages is computed in your browser by the library itself; nothing is sent anywhere.':
    '这些页面上的每个数字都由本库在您的浏览器里算出；什么也不会被发送出去。',
  'Glossary': '术语表',
  'Pages': '页面',
  'What to measure': '测什么',
  'Choose an encoding · posenc': '选择编码 · posenc',
  'Which encoding fits?': '哪种编码合适？',
  'Answer what you know. The list is made by <code>recommend</code> of <code>posenc/recommend</code>: rules with a reason and, where there is one, a paper. They rank; they do not know your data.':
    '知道什么就答什么。名单由 <code>posenc/recommend</code> 里的 <code>recommend</code> 排出：每条规则都有理由，有论文的附上论文。它只排序，并不了解您的数据。',
  'Reset': '重置',
  'The same in code': '同样的代码',
  'Copy': '复制',
  'Positions are best decided before pre-training: a model that is fine-tuned keeps what it was trained with.':
    '位置编码最好在预训练之前定下：微调时模型沿用它训练时的那一种。',
  'A few questions, and the positional encodings that fit, ranked, with reasons and sources.':
    '几个问题，然后是合适的位置编码，按序排列，附理由和来源。',
  'Questions': '问题',
  'Compare encodings · posenc': '比较编码 · posenc',
  'The same tokens, different positions': '同样的词元，不同的位置',
  'Each encoding gets the same tokens and the same projections to queries, keys and values. What differs between the pictures comes from the encoding alone. Shift all positions, or shuffle the tokens, and see who notices.':
    '每种编码都得到同样的词元，以及同样的查询、键、值投影。图与图之间的差别只来自编码。把所有位置一起平移，或打乱词元，看谁会察觉。',
  'Tokens': '词元',
  'Sentence <span class="soft small">each word is a token; the same word has the same vector</span>':
    '句子 <span class="soft small">每个词是一个词元；同一个词的向量相同</span>',
  'Open a file': '打开文件',
  'Add one': '再加一个',
  'Two to four positional encodings on the same queries, keys and values: scores, attention, decay with distance.':
    '两到四种位置编码，用同样的查询、键和值：分数、注意力、随距离的衰减。',
  'File of tensors': '张量文件',
  'Picture · posenc': '图 · posenc',
  'One picture of a positional encoding, to be shown in another page.': '一幅位置编码的图，可放进别的网页。',
  'Encoding · posenc': '编码 · posenc',
  'Pictures': '图',
  'Code that makes these pictures': '画出这些图的代码',
  'One picture in your own page': '把一幅图放进自己的网页',
  'Picture': '图',
  'In short': '简述',
  'One positional encoding: its picture, formula, options, code and notes.':
    '一种位置编码：它的图、公式、选项、代码和说明。',
  'Glossary · posenc': '术语表 · posenc',
  'The words that texts on positional encodings use, each in a sentence or two.':
    '位置编码的文章常用的词，每个一两句话。',
  'posenc: positional encodings for Transformers': 'posenc：Transformer 的位置编码',
  'Positional encodings, drawn as they are computed': '位置编码，边算边画',
  'Attention sees a set of tokens; a positional encoding tells it their order. Each picture on this page is computed in your browser by posenc, a SIMD library compiled to WebAssembly.':
    '注意力看到的是一个词元的集合；位置编码告诉它顺序。本页的每幅图都由 posenc（编译成 WebAssembly 的 SIMD 库）在您的浏览器里算出。',
  'All encodings': '所有编码',
  'The pictures are computed by JavaScript and WebAssembly, which are switched off.':
    '图由 JavaScript 和 WebAssembly 计算，它们现在被关掉了。',
  'Positional encodings for Transformers, drawn live by a SIMD WebAssembly library.':
    'Transformer 的位置编码，由 SIMD WebAssembly 库现场绘制。',
  'Filter': '筛选',
  'Inspect a model · posenc': '检视模型 · posenc',
  'Where does a model put its positions?': '模型把位置放在哪里？',
  'Paste or drop a Hugging Face <code>config.json</code>, and see which encodings the model uses, layer by layer. Drop its <code>.safetensors</code> file, and see the tables themselves: only their part of the file is read. Nothing leaves your browser.':
    '粘贴或拖入一个 Hugging Face 的 <code>config.json</code>，看模型逐层用了哪些编码。拖入它的 <code>.safetensors</code> 文件，看那些表本身：只读取文件中的这一部分。什么也不会离开您的浏览器。',
  'or drop one anywhere': '或把文件拖到页面任何地方',
  'Configs of public models': '公开模型的配置',
  'Files of tensors': '张量文件',
  'Small ones, made up for this page: the shapes are real, the numbers are not.':
    '为本页虚构的小文件：形状是真的，数值不是。',
  'What a Hugging Face config.json says about positions: encodings, frequencies, windows and traps.':
    '一个 Hugging Face config.json 关于位置说了什么：编码、频率、窗口和陷阱。',
  'config.json or .safetensors file': 'config.json 或 .safetensors 文件',
  'Beyond the trained length · posenc': '超出训练长度 · posenc',
  'A model has seen positions up to some length. RoPE\'s slow pairs have not made a full turn by then, so further on they meet angles that were never trained. Scalings bring those angles back; biases and tables have other answers.':
    '模型只见过某个长度以内的位置。到那时 RoPE 的慢对还没转满一圈，再往后就会遇到从未训练过的角度。缩放把这些角度带回来；偏置和表有别的办法。',
  'Every scaling at these lengths': '这些长度下的每种缩放',
  'What positional encodings do beyond the length a model was trained for: RoPE\'s base and scalings, ALiBi, learned tables.':
    '超出训练长度时位置编码会怎样：RoPE 的基数与缩放、ALiBi、可学习的表。',
};
