import { counted } from "../../text";
import { type Approval, type ApprovedChange, nameOfApproved } from "../approval/file";
import { isHash } from "../approval/terraform-plan";
import { code } from "../reports/formats/markdown-text";

/** For all lines about parts of the plan that run no program: the maximum number of characters. */
const MOST = 50_000;
const MAX_VALUE = 1_000;

/** The lines of a comment about the parts of Terraform's plan that are not changes of objects. */
interface PlanLines {
  /** The lines about programs that the apply runs, each with its whole text. */
  readonly programs: readonly string[];
  /** The lines about all other parts of the plan. Parts whose values are shown come first. */
  readonly others: readonly string[];
}

/**
 * Returns the lines about the parts of Terraform's plan besides its changes. The lines contain values only for programs,
 * addresses and outputs.
 */
export function terraformLines({ plan = {}, changes }: Pick<Approval, "plan" | "changes">): PlanLines {
  const listed = new Set(changes.flatMap(namesOf));
  const parts = Object.entries(plan).filter(([name]) => !listed.has(name));
  const programs = parts.filter(([name]) => RUNS.test(name));
  const rest = parts.filter(([name]) => !RUNS.test(name));
  const shown = rest.filter(([, text]) => !isHash(text)).map(([name, text]) => lineOf(name, shortened(text)));
  const names = rest.filter(([, text]) => isHash(text)).map(([name]) => code(name));
  const [lines, fitting] = [upTo(shown), upTo(names)];
  const left = shown.length - lines.length + names.length - fitting.length;
  const more = left === 0 ? "" : `, and ${counted(left, "more part")} in the approval file`;
  return {
    programs: programs.map(([name, text]) => lineOf(name, text).replace("- ", "- 🔓 ")),
    others: [...lines, ...(names.length > 0 ? [`- without their values: ${fitting.join(", ")}${more}`] : [])],
  };
}

/** Matches the names of the parts of a plan that run programs. */
const RUNS = /^(?:provisioner|action) /;

const lineOf = (name: string, text: string): string =>
  `- ${code(name)}${isHash(text) ? "" : `: ${code(text)}`}`;

const shortened = (text: string): string =>
  text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}… (shortened)`;

function upTo(texts: readonly string[]): readonly string[] {
  let length = 0;
  return texts.filter((text) => {
    length += text.length;
    return length <= MOST;
  });
}

/** Returns the names of the parts that belong to a change. The comment lists the change, so these parts need no line. */
const namesOf = (change: ApprovedChange): string[] => [
  `change of ${nameOfApproved(change)}`,
  `declaration of ${change.address.replace(/\[[^\]]*\]/g, "")}`,
];
