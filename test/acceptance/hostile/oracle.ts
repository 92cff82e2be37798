import { CODES, type Diagnostic, hasErrors } from "../../../src/diagnostics";
import type { DamagedService, Lies, Write } from "./damaged-service";
import { type Declared, KIND_NAMES, type KindName, kindOf, TOKEN } from "./estate";
import { HostileStack } from "./hostile-stack";

/**
 * The writes of runs without damage. The key is the kind of the object, and the declaration of the object at the end of the
 * run. The declaration is variant A, variant B, or none.
 */
export type Allowed = ReadonlyMap<`${KindName} ${"A" | "B" | "none"}`, readonly Write[]>;

/** Removes the id of a rule, because only the service knows this id. */
const withoutId = ({ what, body }: Pick<Write, "what" | "body">): string =>
  `${what.replace(/rules\/\d+$/, "rules/ID")} ${body.replace(/"id":\d+/g, '"id":ID')}`;

const kindOfWrite = (what: string): KindName | undefined =>
  KIND_NAMES.find((name) => kindOf(name).writes.test(what));

/** Matches writes to the rule that no configuration declares. */
const KEPT_RULE = /\/projects\/1\/registry\/protection\/repository\/rules\/1$/;

/**
 * Applies every change between three states of the estate without damage: variant A, variant B, and no objects. Returns the
 * writes.
 */
export async function soundWrites(start: () => Promise<DamagedService>): Promise<Allowed> {
  const all = (variant: "A" | "B"): Declared => Object.fromEntries(KIND_NAMES.map((name) => [name, variant]));
  const allowed = new Map<`${KindName} ${"A" | "B" | "none"}`, Write[]>();
  const service = await start();
  const stack = new HostileStack(service.url);
  try {
    for (const to of ["A", "B", "A", "none", "B", "none"] as const) {
      stack.declare(to === "none" ? {} : all(to), []);
      service.begin();
      const { diagnostics } = await stack.run("apply");
      if (hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
      for (const write of service.writes) {
        const name = kindOfWrite(write.what);
        if (name === undefined) throw new Error(`No kind writes ${write.what}`);
        allowed.set(`${name} ${to}`, [...(allowed.get(`${name} ${to}`) ?? []), write]);
      }
    }
    return allowed;
  } finally {
    stack.remove();
    await service.close();
  }
}

/**
 * Returns the executed writes that are wrong. A write is wrong if its object was not declared and not managed. A write is
 * also wrong if no run without damage sends it for the same declaration. If the client got a false response, it may send
 * changes of these objects with other values.
 */
export function wrongWrites(
  writes: readonly Write[],
  { before, declared, lies }: { readonly before: Declared; readonly declared: Declared; readonly lies: Lies },
  allowed: Allowed,
): string[] {
  const wasLiedTo = lies !== "none";
  return writes.flatMap((write) => {
    if (write.status >= 300) return [];
    if (lies === "rules" && KEPT_RULE.test(write.what)) return [];
    const name = kindOfWrite(write.what);
    const told = `${write.what} ${write.body}`;
    if (name === undefined) return [`${told}: it is for what nobody declares`];
    const to = declared[name] ?? "none";
    if (to === "none" && before[name] === undefined) return [`${told}: ${name} is not declared`];
    const sound = (allowed.get(`${name} ${to}`) ?? []).map((one) =>
      wasLiedTo ? withoutId({ ...one, body: "" }) : withoutId(one),
    );
    return sound.includes(withoutId(wasLiedTo ? { ...write, body: "" } : write))
      ? []
      : [`${told}: no sound run to ${name} ${to} sends it`];
  });
}

/** Returns the mistakes in diagnostics, such as a visible token or the text of a JavaScript error. */
export function wrongDiagnostics(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.flatMap(({ code, ...text }) => {
    const told = JSON.stringify(text);
    return [
      ...(CODES.has(code) ? [] : [`${code} is no registered code`]),
      ...(code === "internal_error" ? [`a fault of the program: ${told}`] : []),
      ...(/TypeError|RangeError|is not a function|Cannot read prop|Maximum call stack/.test(told)
        ? [told]
        : []),
      ...(told.includes(TOKEN) ? [`the token is told: ${told}`] : []),
    ];
  });
}
