/** The cases whose outcome intentionally differs from Terraform 1.11.4, each with the reason. */
export const EXPLAINED_DIFFERENCES: ReadonlyMap<string, string> = new Map([
  [
    "${pow(3.7,5.2)}",
    "a power with a fraction goes through exp() and log(), which Go and JavaScript round differently in the last digit",
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
