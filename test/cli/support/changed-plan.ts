import { createHash } from "node:crypto";

interface Header {
  readonly steward_plan: number;
  readonly steward: string;
}

/** Modifies a saved plan and corrects its checksum, as an attacker who knows the format would. */
export function changedPlan(text: string, change: (body: string) => string): string {
  const [first, body] = text.split("\n") as [string, string];
  const { steward_plan, steward } = JSON.parse(first) as Header;
  return sealedPlan(steward_plan, steward, change(body));
}

/** A body with its matching first line. */
export function sealedPlan(version: number, steward: string, body: string): string {
  const sha256 = createHash("sha256").update(`${version}\n${steward}\n${body}`).digest("hex");
  return `${JSON.stringify({ steward_plan: version, steward, sha256 })}\n${body}\n`;
}
