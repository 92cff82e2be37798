import type { CommentEdit } from "./story";

const APPROVAL = /^<!-- steward approval [0-9a-f]{64} \S+ -->$/m;

/** Returns the text of a comment after an edit. Undefined if this edit does not fit the comment. */
export function editedComment(body: string, how: CommentEdit, other: string | undefined): string | undefined {
  const [marker] = body.split("\n", 1);
  const [approval] = APPROVAL.exec(body) ?? [];
  if (how === "text below") return `${body}\n\nReviewed.`;
  if (how === "comment of another request") return other;
  if (approval === undefined) return undefined;
  if (how === "harmless text") return `${marker}\n## Steward plan: no changes\n\n${approval}`;
  const lines = body.split("\n");
  const at = lines.findIndex((line) => /^- /.test(line));
  if (at < 0) return undefined;
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("  "));
  return [...lines.slice(0, at), ...lines.slice(end)].join("\n");
}
