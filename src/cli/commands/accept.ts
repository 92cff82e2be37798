import { readdirSync } from "node:fs";
import path from "node:path";
import { type AcceptedValue, ConfigurationSource, TypeScriptSource, unifiedDiff } from "../../adopt";
import { type Diagnostic, DiagnosticError, error, fail, hasErrors } from "../../diagnostics";
import {
  type Attributes,
  type Configuration,
  type DriftedObject,
  type LoadedStacks,
  type OpenStack,
  type Plan,
  type StackOutcome,
  sameValue,
  type Value,
  withoutKeys,
} from "../../engine";
import { describeFileProblem, readFileSync, replaceFile, resolveLinks } from "../../files";
import { compareStrictness } from "../../provider";
import { oneLine, SENSITIVE } from "../../text";
import type { AcceptArguments } from "../arguments/accept";
import type { DriftArguments } from "../arguments/drift";
import { openPolicies } from "../policy/open-policies";
import type { Policies } from "../policy/policies";
import { containerOf } from "../printing/place";
import { loadNamedStacks } from "../stacks/load-stacks";
import type { Terminal } from "../terminal/terminal";
import { isApproval } from "../views/approval";
import { diagnosticsOf } from "../views/failure";
import { jsonEvent } from "../views/json/events";

/** One drifted attribute, and what becomes of it. */
interface Candidate {
  readonly stack: string | undefined;
  readonly drifted: DriftedObject;
  readonly attribute: string;
  readonly declared: Value;
  readonly live: Value;
}

/** What stays as it is in the code, and why. */
interface LeftValue {
  readonly address: string;
  readonly position: string | undefined;
  readonly attribute?: string;
  readonly live?: string;
  readonly why: string;
}

type Source = { readonly file: string; readonly text: string } & (
  | { readonly typescript: TypeScriptSource }
  | { readonly configuration: ConfigurationSource }
);

/** Writes drifted values into the code of an app or a configuration, all or none of them; the state is never written. */
export class Acceptance {
  readonly #args: DriftArguments;
  readonly #options: AcceptArguments;
  readonly #terminal: Terminal;
  readonly #policies: Policies | undefined;
  readonly #candidates: Candidate[] = [];
  readonly #left: LeftValue[] = [];
  readonly #refusals: Diagnostic[] = [];
  /** By the absolute path. */
  readonly #sources = new Map<string, Source>();
  #loaded: LoadedStacks | undefined;

  /** @throws DiagnosticError `approval_needed`, before anything is read */
  constructor(args: DriftArguments, options: AcceptArguments, terminal: Terminal) {
    this.#args = args;
    this.#options = options;
    this.#terminal = terminal;
    this.#policies =
      args.config === undefined
        ? openPolicies({ policies: [], waivers: [], waive: undefined }, terminal, undefined)
        : undefined;
    if (options.yes || options.dryRun || (terminal.interactive && !args.json)) return;
    fail({
      code: "approval_needed",
      summary: "Approval required",
      detail:
        `\`steward drift --accept\` asks before it writes into the code, but ${args.json ? "--json is not interactive" : "there is no terminal"}. ` +
        "Nothing was changed. Look at the changes with --dry-run, then give --yes.",
    });
  }

  async load(): Promise<LoadedStacks> {
    this.#loaded = await loadNamedStacks(this.#args, this.#terminal);
    return this.#loaded;
  }

  /** Takes note of what drifted in a stack, and asks the policies about it. */
  async take(stack: OpenStack, drifted: readonly DriftedObject[]): Promise<void> {
    const { attributes } = this.#options;
    const taken: Candidate[] = [];
    for (const one of drifted) {
      const { change } = one;
      if (one.kind === "vanished")
        this.#leave(one, {
          why: "it is gone from the service. Delete its declaration, or apply to create it again",
        });
      for (const attribute of one.attributes) {
        if (attributes.length > 0 && !attributes.includes(attribute)) continue;
        const declared = (attribute in one.declared ? one.declared : change.before!)[attribute] ?? null;
        const live = change.after?.[attribute] ?? null;
        // An earlier run accepted it.
        if (!isSame(change.attributes, attribute, declared, live))
          taken.push({ stack: stack.name, drifted: one, attribute, declared, live });
      }
    }
    this.#candidates.push(...taken);
    this.#refuseLooser(taken);
    if (this.#policies?.hasRules !== true || taken.length === 0) return;
    const plan = await stack.plan({});
    this.#refusals.push(...this.#forbidden(plan, taken, stack.name));
  }

  /** What would be looser than the code declares. */
  #refuseLooser(taken: readonly Candidate[]): void {
    if (this.#options.allowLoosening) return;
    for (const { drifted, attribute, declared, live } of taken) {
      const { address, construct, type } = drifted.change;
      const only = (value: Value) => ({
        ...(plainOf(drifted.change.before) as object),
        [attribute]: plainOf(value),
      });
      const found = compareStrictness(type, only(declared), only(live));
      if (found === "tighter" || found === "equal") continue;
      this.#refusals.push(
        error({
          code: "accept_refused",
          summary: "Accepting would loosen the code",
          detail:
            `The live value of ${attribute} allows ${found === "looser" ? "more" : "more in parts"} than the code. Nothing was written. ` +
            "If that is right, give --allow-loosening; or leave it out with --exclude, --target or --attribute.",
          address,
          attribute: [attribute],
          ...(construct !== undefined && { construct }),
        }),
      );
    }
  }

  /** The violations that a plan has with the accepted values, and has not without them. */
  #forbidden(plan: Plan, taken: readonly Candidate[], stack: string | undefined): Diagnostic[] {
    const changes = plan.changes.map((change) => {
      const accepted = taken.filter(({ drifted }) => drifted.change.address === change.address);
      if (accepted.length === 0) return change;
      const values = Object.fromEntries(accepted.map(({ attribute, live }) => [attribute, live]));
      return {
        ...change,
        action: "update" as const,
        before: accepted[0]!.drifted.change.before,
        after: { ...change.after, ...values },
      };
    });
    const keyOf = ({ rule, address, detail }: Diagnostic) => JSON.stringify([rule, address, detail]);
    const known = new Set(this.#policies!.violations(plan, stack).map(keyOf));
    return this.#policies!.violations({ ...plan, changes }, stack).filter(
      (one) => one.severity === "error" && !known.has(keyOf(one)),
    );
  }

  /** Writes the values, or shows what would be written. */
  async finish(): Promise<StackOutcome> {
    if (this.#refusals.length > 0) throw new DiagnosticError(this.#refusals);
    const accepted = this.#candidates.filter((one) => this.#accept(one));
    const changed = [...this.#sources.values()].filter((source) => textOf(source) !== source.text);
    const shown = changed.flatMap((source) =>
      unifiedDiff(path.relative(this.#terminal.folder, source.file), source.text, textOf(source)),
    );
    this.#tell(accepted, shown);
    if (changed.length > 0 && !this.#options.dryRun && (await this.#isApproved())) {
      await this.#write(changed);
      this.#notice(
        `Wrote ${changed.map(({ file }) => path.relative(this.#terminal.folder, file)).join(", ")}. The state stays as it is: drift goes on reporting until the code is applied.`,
      );
    } else if (changed.length > 0) return "found";
    return this.#left.length > 0 ? "found" : "nothing";
  }

  async #isApproved(): Promise<boolean> {
    if (this.#options.yes) return true;
    const question = ["", "Do you want to write these changes into the code?"];
    return isApproval(
      await this.#terminal.ask([
        ...question,
        "  Only 'yes' will be accepted to approve.",
        "",
        "  Enter a value: ",
      ]),
    );
  }

  #accept(candidate: Candidate): boolean {
    const { drifted, attribute, declared, live } = candidate;
    const { change } = drifted;
    const why = [...change.beforeSensitive, ...change.afterSensitive].some(([name]) => name === attribute)
      ? "it is sensitive"
      : this.#rewrite(candidate);
    if (why !== undefined)
      this.#leave(drifted, {
        attribute,
        live: why === "it is sensitive" ? SENSITIVE : textOfValue(live),
        why,
      });
    return why === undefined && !sameValue(declared, live);
  }

  #rewrite({ stack, drifted, attribute, declared, live }: Candidate): string | undefined {
    const { change } = drifted;
    const schema = change.attributes[attribute]!;
    const value = { type: change.type, attribute, schema, declared, live };
    const [, file, line] = /^(.+):(\d+)$/s.exec(change.position ?? "") ?? [];
    if (file === undefined) {
      const source = this.#configurationOf(change.type, change.name, stack);
      return source === undefined
        ? "no file of this folder declares it"
        : source.accept({ ...value, name: change.name });
    }
    const declaration = this.#configuration(stack)?.resources.get(withoutKeys(change.address));
    if (declaration?.fleet === undefined && change.indexKey !== undefined)
      return "it stands for several objects";
    const source = this.#open(path.resolve(this.#terminal.folder, file));
    if (source === undefined || !("typescript" in source)) return `${file} can't be read`;
    const where = containerOf(change)?.name;
    if (declaration?.fleet !== undefined && (where === undefined || /^\d+$/.test(where)))
      return "the path of its project is not known";
    const key = String(change.indexKey).split(":").slice(1).join(":");
    const accepted: AcceptedValue = {
      ...value,
      object: change.before!,
      line: Number(line),
      objects: this.#objectsAt(change.position!, change.type, change.construct),
      ...(declaration?.fleet !== undefined && {
        fleet: { where: where!, key: key === "" ? undefined : key, reason: this.#options.reason },
      }),
    };
    return source.typescript.accept(accepted);
  }

  #configuration(stack: string | undefined): Configuration | undefined {
    return this.#loaded?.stacks.find(({ name }) => name === stack)?.configuration;
  }

  /** How many declarations of a type come from a line; those of one part, such as an environment of a `ProjectSettings`. */
  #objectsAt(position: string, type: string, construct = ""): number {
    const { stacks = [], unselected = [] } = this.#loaded ?? {};
    const all = [
      ...stacks.map(({ configuration }) => configuration),
      ...unselected.map(({ load }) => load()),
    ];
    const here = all.flatMap(({ resources }) =>
      [...resources.values()].filter((one) => one.position === position && one.type === type),
    );
    const part = construct.slice(construct.lastIndexOf("/") + 1);
    const parents = new Set(here.map((one) => (one.construct ?? "").replace(/\/[^/]*$/, "")));
    // The parts of one construct have names of their own; those of a loop are beside each other in the stack.
    const isOne = parents.size === 1 && [...parents].every((parent) => parent.includes("/"));
    return isOne ? here.filter((one) => one.construct?.endsWith(`/${part}`)).length : here.length;
  }

  #configurationOf(type: string, name: string, stack: string | undefined): ConfigurationSource | undefined {
    const files = this.#configuration(stack)?.files.map(({ file }) =>
      path.resolve(this.#terminal.folder, file),
    );
    const folder = this.#terminal.folder;
    const candidates =
      files ??
      readdirSync(folder)
        .filter((one) => /\.tf(?:\.json)?$/.test(one))
        .map((one) => path.join(folder, one));
    for (const file of candidates) {
      const source = this.#open(file);
      if (source !== undefined && "configuration" in source && source.configuration.declares(type, name))
        return source.configuration;
    }
    return undefined;
  }

  #open(file: string): Source | undefined {
    const known = this.#sources.get(file);
    if (known !== undefined) return known;
    let text: string;
    try {
      text = readFileSync(file).toString("utf8");
    } catch {
      return undefined;
    }
    const source: Source = /\.tf(?:\.json)?$/.test(file)
      ? { file, text, configuration: new ConfigurationSource(text, file) }
      : { file, text, typescript: new TypeScriptSource(text, file) };
    this.#sources.set(file, source);
    return source;
  }

  #leave({ change }: DriftedObject, left: Omit<LeftValue, "address" | "position">): void {
    this.#left.push({ address: change.address, position: change.position, ...left });
  }

  /** Writes all files; if the app can't be synthesized from them, such as for a floor or a policy, they are as before. */
  async #write(sources: readonly Source[]): Promise<void> {
    const written: Source[] = [];
    const replace = async (source: Source, text: string) =>
      replaceFile(await resolveLinks(source.file), [text], "anyone");
    try {
      for (const source of sources) {
        await replace(source, textOf(source));
        written.push(source);
      }
      if (this.#loaded !== undefined) await loadNamedStacks(this.#args, this.#terminal);
    } catch (problem) {
      for (const source of written) await replace(source, source.text);
      const known = diagnosticsOf(problem, this.#terminal);
      throw new DiagnosticError([
        error({
          code: "accept_refused",
          summary: "Code with the live values is refused",
          detail: hasErrors(known)
            ? "With the live values the app can't be synthesized, or a file can't be written, for the reasons below. The code is as it was."
            : describeFileProblem(problem),
        }),
        ...known,
      ]);
    }
  }

  #tell(accepted: readonly Candidate[], diff: readonly string[]): void {
    const { out } = this.#terminal;
    if (this.#args.json) {
      for (const { drifted, attribute, live } of accepted.filter((one) => !this.#isLeft(one)))
        this.#event("drift_accepted", `${drifted.change.address}: ${attribute} = ${textOfValue(live)}`, {
          ...{ address: drifted.change.address, attribute, position: drifted.change.position },
        });
      for (const one of this.#left) this.#event("drift_left", leftLine(one), one);
      return;
    }
    if (diff.length > 0) out.lines(["", ...diff.map(oneLine)]);
    if (this.#left.length > 0)
      out.lines(["", "Left in the code:", "", ...this.#left.map((one) => `  ${oneLine(leftLine(one))}`)]);
    if (diff.length === 0 && this.#left.length === 0)
      out.lines(["", "Nothing to accept: the code has the live values."]);
  }

  #isLeft({ drifted, attribute }: Candidate): boolean {
    return this.#left.some((one) => one.address === drifted.change.address && one.attribute === attribute);
  }

  #event(type: string, message: string, data: object): void {
    this.#terminal.out.line(JSON.stringify(jsonEvent(type, message, { hook: data })));
  }

  #notice(text: string): void {
    if (this.#args.json) this.#event("code_written", text, {});
    else this.#terminal.out.lines(["", text]);
  }
}

const textOf = (source: Source): string =>
  "typescript" in source ? source.typescript.text : source.configuration.text;

const leftLine = ({ address, position, attribute, live, why }: LeftValue): string =>
  `${address}${attribute === undefined ? "" : `: ${attribute} = ${live}`}${position === undefined ? "" : ` (${position})`}: ${why}.`;

const isSame = (attributes: Attributes, name: string, one: Value, other: Value): boolean =>
  sameValue(one, other) || (attributes[name]?.type.kind === "set" && sameSet(one, other));

const sameSet = (one: Value, other: Value): boolean => {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  const left = [...(other as readonly Value[])];
  return (one as readonly Value[]).every((element) => {
    const at = left.findIndex((each) => sameValue(each, element));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
};

/** A value for a comparison, and for people: numbers that keep their digits as plain ones. */
function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== "object" || value === null) return value ?? null;
  if (Object.getPrototypeOf(value) !== Object.prototype) return Number(String(value));
  const known = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(known.map(([name, one]) => [name, plainOf(one)]));
}
const textOfValue = (value: Value): string =>
  value === undefined || value === null ? "none" : JSON.stringify(plainOf(value));
