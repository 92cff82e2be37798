const { parseSync } = require("oxc-parser");

/**
 * Removes all comments of a program except the first comment. By default, esbuild keeps comments of class members and
 * in expressions. Its option that removes all comments also removes line breaks, and stack traces need these.
 */
function withoutComments(program) {
  const { comments } = parseSync("program.js", program);
  const parts = [];
  let end = 0;
  for (const comment of comments.slice(1)) {
    const isAlone = lineBefore(program, comment.start) && lineAfter(program, comment.end);
    // A comment on its own lines is removed with its line break. Any other comment becomes a line break if it contains
    // one, because the line break can end a statement.
    const [from, to] = isAlone
      ? [program.lastIndexOf("\n", comment.start - 1) + 1, program.indexOf("\n", comment.end) + 1]
      : [comment.start, comment.end];
    parts.push(program.slice(end, from));
    if (!isAlone) parts.push(comment.value.includes("\n") ? "\n" : " ");
    end = to;
  }
  return parts.join("") + program.slice(end);
}

const lineBefore = (text, at) => /^\s*$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at));
const lineAfter = (text, at) => /^\s*$/.test(text.slice(at, text.indexOf("\n", at)));

module.exports = { withoutComments };
