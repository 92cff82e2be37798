/** Cases in which this engine gives something else than Terraform 1.11.4 on purpose, with the reason. */
export const EXPLAINED_DIFFERENCES: ReadonlyMap<string, string> = new Map([
  ...[
    '${textencodebase64("€","windows-1252")}',
    '${textencodebase64("日本","Shift_JIS")}',
    '${textencodebase64("日本","EUC-JP")}',
    '${textdecodebase64("k/qWew==","Shift_JIS")}',
    '${textdecodebase64("gA==","windows-1252")}',
  ].map(
    (source) => [source, "of encodings only those of Unicode, ISO-8859-1 and US-ASCII are there"] as const,
  ),
  [
    "${pow(3.7,5.2)}",
    "a power with a fraction goes through exp() and log(), which Go and JavaScript round differently in the last digit",
  ],
  [
    "${length([1,2])/length([1,2,3])}",
    "all arithmetic has 512 bits; Terraform takes 64 between numbers that functions have counted",
  ],
  [
    '${cidrsubnet("10.1.2.0/24",-1,0)}',
    "a negative number of bits slips through Terraform's check; the network it gives is none of the given one's parts",
  ],
  [
    '${cidrsubnet("10.1.2.0/24",4,-1)}',
    "a negative number slips through Terraform's check; the network it gives lies outside the given one",
  ],
  [
    '${base64gzip("hello hello hello hello")}',
    "Go's compressor finds other repetitions than zlib; both decompress to the same text",
  ],
  [
    '${base64gzip(join("",[for i in range(200): "line ${i}\\n"]))}',
    "Go's compressor finds other repetitions than zlib; both decompress to the same text",
  ],
]);
