import { createHash } from "node:crypto";

interface Header {
  readonly steward_plan: number;
  readonly steward: string;
}

/** A saved plan as somebody would change it who knows the format: with its checksum made right again. */
export function changedPlan(text: string, change: (body: string) => string): string {
  const [first, body] = text.split("\n") as [string, string];
  const { steward_plan, steward } = JSON.parse(first) as Header;
  return sealedPlan(steward_plan, steward, change(body));
}

/** A body with the first line that fits it. */
export function sealedPlan(version: number, steward: string, body: string): string {
  const sha256 = createHash("sha256").update(`${version}\n${steward}\n${body}`).digest("hex");
  return `${JSON.stringify({ steward_plan: version, steward, sha256 })}\n${body}\n`;
}
