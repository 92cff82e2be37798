/**
 * A name that an attacker might choose. The name contains texts that try to add lines or commands to a log, a terminal
 * or a comment.
 */
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

/** Matches lines that begin with a part of the hostile name. */
const BEGUN = /^\s*(?:PWNED|evil)/;

/** Returns the lines of a text that a terminal or a CI system would execute. A test expects that there are none. */
export const obeyedLines = (text: string): string[] =>
  text.split("\n").filter((line) => UNSAFE.test(line) || OBEYED.test(line));

/** Returns the lines of `obeyedLines`, and the lines that begin with a part of the hostile name. */
export const takenLines = (text: string): string[] => [
  ...obeyedLines(text),
  ...text.split("\n").filter((line) => BEGUN.test(line)),
];
