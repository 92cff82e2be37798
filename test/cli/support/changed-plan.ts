import { createHash } from "node:crypto";

interface Header {
  readonly steward_plan: number;
  readonly steward: string;
}

/** Modifies a saved plan and corrects its checksum, as an attacker who knows the format would. */
export function changedPlan(text: string, change: (body: string) => string): string {
  const [first, body] = text.split("\n") as [string, string];
  const { steward_plan, steward } = JSON.parse(first) as Header;
  const changed = change(body);
  const sha256 = createHash("sha256").update(`${steward_plan}\n${steward}\n${changed}`).digest("hex");
  return `${JSON.stringify({ steward_plan, steward, sha256 })}\n${changed}\n`;
}
