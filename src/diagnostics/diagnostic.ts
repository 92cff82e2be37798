import { oneLine } from "../text";
import type { DiagnosticAction, WriteAction } from "./action";
import type { ErrorCode } from "./codes";

/** One step into a value: an attribute's name, or an element's position in a list. */
export type PathStep = string | number;

/** The path from a resource's or provider's root to one attribute, such as `["steps", 0, "port"]`. */
export type AttributePath = readonly PathStep[];

/**
 * An element of a set, identified by its content, such as `user "ada"`. A position would not help the user, because the order
 * of a set differs from the order in the code. The text is created when it is printed, because most paths are never printed.
 */
export class SetElement {
  constructor(private readonly describe: () => string) {}
  toString(): string {
    return this.describe();
  }
}

export type DiagnosticPath = readonly (PathStep | SetElement)[];

/**
 * Formats a path as Terraform does. An element of a set is shown by its content: `deploy_access_levels[user
 * "ada"].user`.
 */
export function formatPath(path: DiagnosticPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step !== "string") return `${text}[${step.toString()}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

/** Returns the path of the diagnostic's attribute as text. Returns undefined if the diagnostic is about a whole declaration. */
export const attributeOf = ({ attribute }: Pick<Diagnostic, "attribute">): string | undefined =>
  attribute === undefined || attribute.length === 0 ? undefined : formatPath(attribute);

/** Returns the first line of a diagnostic for people: its summary, and the code to look up. */
export const titleOf = ({ summary, code }: Pick<Diagnostic, "summary" | "code">): string =>
  `${oneLine(summary)} [${code}]`;

/**
 * An error or a warning for people.
 *
 * The summary contains no names, so that equal problems have equal summaries. The detail contains the
 * problem, its reason, and how to fix it. The host adds `address` and `construct`, because only the host
 * knows the place of a declaration.
 */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  /** A stable code from the list in `codes.ts`. Documentation and scripts rely on it. */
  readonly code: ErrorCode;
  readonly summary: string;
  /** One or several lines. Text from other sources is first converted by `oneLine`, so that it can't add a line. */
  readonly detail: string;
  /** The command or block that fixes the problem, for the object at `address`. The host formats this action (`fullDetail`). */
  readonly action?: DiagnosticAction;
  /**
   * A text that is equal for diagnostics with the same reason, such as the name of a project. Diagnostics with one code and
   * cause are printed once, with all their objects.
   */
  readonly cause?: string;
  /**
   * The part of the detail that differs between objects, in one line. If only the items of several diagnostics differ, a host
   * prints one diagnostic with a list of the items.
   */
  readonly item?: string;
  /** The container that the service refused. If the service refuses every container of a run, the token is the problem. */
  readonly refused?: RefusedContainer;
  readonly attribute?: DiagnosticPath;
  /** The Terraform address of the resource, data source or output. */
  readonly address?: string;
  /** The path of the construct in the user's app, such as `quickstart/web/production`. */
  readonly construct?: string;
  /** The file and line of the declaration in the app, such as `main.ts:9`, if the construct recorded them. */
  readonly position?: string;
  /** The name of the policy rule that found the problem. */
  readonly rule?: string;
}

/** A project or group to which the service refused access, with its name for people. */
export interface RefusedContainer {
  readonly kind: string;
  readonly name: string;
  /** The status of the refusal: 404 if the service hides the container, 403 if the container is visible. */
  readonly status: 403 | 404;
  /** The name of the role that is needed for changes in the container, if the provider defines it. */
  readonly role?: string;
}

/** A diagnostic without its severity. */
export type DiagnosticText = Omit<Diagnostic, "severity">;

/**
 * A diagnostic in the form in which code writes it. A detail with several lines is a list of lines. Line ends inside a line are
 * escaped, because they can only come from a value.
 */
type WrittenText = Omit<DiagnosticText, "detail"> & { readonly detail: string | readonly string[] };

const diagnostic = (severity: Diagnostic["severity"], text: WrittenText): Diagnostic => ({
  severity,
  ...text,
  summary: oneLine(text.summary),
  detail: [text.detail].flat().map(oneLine).join("\n"),
});

export const error = (text: WrittenText): Diagnostic => diagnostic("error", text);
export const warning = (text: WrittenText): Diagnostic => diagnostic("warning", text);

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.length > 0 && diagnostics.some(({ severity }) => severity === "error");

/** Returns the detail of a diagnostic, followed by its fix in the form of a host. */
export function fullDetail(
  { detail, item, action, address }: Pick<Diagnostic, "detail" | "item" | "action" | "address">,
  write: WriteAction,
): string {
  const { sentence, lines = [] } = action === undefined ? {} : write(action, address);
  const text = sentence === undefined ? detail : `${detail} ${sentence}`;
  return [
    ...text.split("\n"),
    ...(item === undefined ? [] : [`- ${item}`]),
    ...(lines.length > 0 ? ["", ...lines] : []),
  ]
    .map(oneLine)
    .join("\n");
}

/** An error that contains diagnostics. Code throws it if the work can't continue, and the user sees the diagnostics unchanged. */
export class DiagnosticError extends Error {
  override readonly name = "DiagnosticError";
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: Diagnostic | readonly Diagnostic[]) {
    const all = Array.isArray(diagnostics)
      ? (diagnostics as readonly Diagnostic[])
      : [diagnostics as Diagnostic];
    super(all.map((one) => `${one.summary}: ${one.detail}`).join("\n"));
    this.diagnostics = all;
  }
}

/** Returns the diagnostics of a thrown error. Any other error is a bug, and is thrown again. */
export function diagnosticsOf(problem: unknown): readonly Diagnostic[] {
  if (problem instanceof DiagnosticError) return problem.diagnostics;
  throw problem;
}

/** Throws one error diagnostic. */
export function fail(text: WrittenText): never {
  throw new DiagnosticError(error(text));
}

/**
 * Joins diagnostics that differ only in their items. The result is one diagnostic with a list of items and
 * without an object.
 */
export function joinItems(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) {
    if (one.item === undefined) continue;
    const key = JSON.stringify([one.severity, one.code, one.summary, one.detail]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const joined = new Map<Diagnostic, Diagnostic | undefined>();
  for (const [first, ...others] of groups.values()) {
    if (others.length === 0) continue;
    const { severity, code, summary, detail, cause } = first!;
    const items = [first!, ...others].map(({ item }) => `- ${item}`);
    joined.set(first!, {
      severity,
      code,
      summary,
      detail: [detail, ...items].join("\n"),
      ...(cause !== undefined && { cause }),
    });
    for (const other of others) joined.set(other, undefined);
  }
  if (joined.size === 0) return diagnostics;
  return diagnostics.flatMap((one) => (joined.has(one) ? (joined.get(one) ?? []) : [one]));
}

/** Joins lists of diagnostics, so that the result contains each problem only once. */
export function mergeDiagnostics(...lists: readonly (readonly Diagnostic[])[]): Diagnostic[] {
  const seen = new Map<string, Diagnostic>();
  for (const diagnostic of lists.flat()) {
    const key = JSON.stringify([
      diagnostic.code,
      diagnostic.summary,
      diagnostic.detail,
      diagnostic.action,
      diagnostic.address,
      diagnostic.attribute && formatPath(diagnostic.attribute),
    ]);
    if (!seen.has(key)) seen.set(key, diagnostic);
  }
  return [...seen.values()];
}

/** The codes of problems that concern the whole run, although every object reports them. */
const WHOLE_RUN_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "unauthorized",
  "insufficient_scope",
  "unreachable",
  "no_api",
  "service_unavailable",
  "cancelled",
]);

/**
 * Returns a text that is equal for all diagnostics with the same cause. Returns undefined if each diagnostic
 * has its own cause.
 */
export function causeOf({ severity, code, cause }: Diagnostic): string | undefined {
  if (cause === undefined && !WHOLE_RUN_CODES.has(code)) return undefined;
  return `${severity} ${code} ${cause ?? ""}`;
}
