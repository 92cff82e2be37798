/** Names that an attacker may choose, to write into the log, the terminal or the comment of a reader. */
export const HOSTILE = [
  "evil",
  "\nPWNED",
  "\n::error::PWNED",
  "\n   ::set-output name=x::PWNED",
  "\r##vso[task.setvariable variable=x]PWNED",
  "\u2028::error::PWNED\u2029PWNED",
  "\u0085PWNED\u001b[2J\u009b2J\u001b]0;PWNED\u0007",
  "\u202e\u2066\u200b\u200f\ufeff\u00ad\tPWNED",
  "##[error]PWNED section_start:1:PWNED ##teamcity[PWNED]",
  " ``` ~~~ </failure>]]> --> <img src=x> @admin [a](http://evil.example) $(PWNED) 'PWNED' \"PWNED\" \\",
].join("");

/** Characters that no output may contain, except for line ends. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

const OBEYED = /^\s*::|##\w*\[|section_(?:start|end):\d/i;

/** Lines that begin with foreign text. */
const BEGUN = /^\s*(?:PWNED|evil)/;

/** The lines of a text that a terminal or a CI system obeys: none may be. */
export const obeyedLines = (text: string): string[] =>
  text.split("\n").filter((line) => UNSAFE.test(line) || OBEYED.test(line));

/** The hostile names, with lines that begin with foreign text. */
export const takenLines = (text: string): string[] => [
  ...obeyedLines(text),
  ...text.split("\n").filter((line) => BEGUN.test(line)),
];
