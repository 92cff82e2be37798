/** The maximum length of the first line. */
const LONGEST = 72;

/**
 * Returns the problems of a commit message. The message must have the form `area: imperative summary`, an empty line,
 * and a body that says why.
 */
export function problemsOf(message: string): readonly string[] {
  const [summary = "", second, ...body] = message.trimEnd().split("\n");
  const problems: string[] = [];
  if (!/^[a-z][\w./ -]*(?:, [\w./ -]+)*: \S/.test(summary))
    problems.push('the first line is not "area: summary"');
  if (summary.length > LONGEST)
    problems.push(`the first line has ${summary.length} characters, ${LONGEST} allowed`);
  if (summary.endsWith(".")) problems.push("the first line ends with a full stop");
  if (second !== undefined && second !== "") problems.push("the second line is not empty");
  const hasBody = body.some((line) => line.trim() !== "" && !/^[A-Z][\w-]+: /.test(line));
  if (!hasBody) problems.push("there is no body that says why");
  return problems;
}
