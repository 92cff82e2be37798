import { tokenType } from "./construct-enumerations";
import type { Member, Scope } from "./construct-scopes";

const DECLARATION = /^(export (interface|class) (\w+).*\{)\n([\s\S]*?)\n\}/gm;

/**
 * Replaces the types `number` and `string` of an attribute by its possible values, if these are a closed set. Users can
 * then no longer pass any number or string: for a token, they call `fromToken` of the set. Attributes of created
 * objects already have the type of such tokens.
 */
export function addUnions(source: string, scopes: readonly Scope[]): string {
  const sets = new Set<string>();
  const typed = source.replace(
    DECLARATION,
    (declaration: string, head: string, kind: string, name: string, body: string) => {
      const scope = scopes.find(({ interfaceName, className }) => [interfaceName, className].includes(name));
      const members = (scope?.members ?? []).filter(({ attribute }) => attribute.text.values !== undefined);
      if (members.length === 0) return declaration;
      for (const { attribute } of members) sets.add(attribute.text.values!.name);
      const change = kind === "class" ? inClass : inInterface;
      return `${head}\n${members.reduce(change, body)}\n}`;
    },
  );
  if (sets.size === 0) return typed;
  const imported = [...sets].sort().flatMap((name) => [`type ${name}`, `type ${tokenType(name)}`]);
  return typed.replace(
    /^import .*\n(?!import )/m,
    `$&import { ${imported.join(", ")} } from "../enumerations";\n`,
  );
}

const inInterface = (body: string, member: Member): string =>
  member.attribute.presence === "computed"
    ? body
    : replaced(body, new RegExp(`^  readonly ${member.name}\\??: .+;$`, "m"), member, narrowed);

function inClass(body: string, member: Member): string {
  const { name, attribute } = member;
  const token = tokenType(attribute.text.values!.name);
  const isMany = attribute.type.kind === "set" || attribute.type.kind === "list";
  const read = new RegExp(`^  public get ${name}\\(\\) \\{\\n    return .+;$`, "m");
  const withToken = replaced(body, read, member, (text) =>
    // A getter of the provider returns the app's input, which may be a plain value and not a token.
    text.includes(`return this._${name};`) ? text : text.replace(/;$/, ` as ${token}${isMany ? "[]" : ""};`),
  );
  if (attribute.presence === "computed") return withToken;
  const stored = replaced(withToken, new RegExp(`^  private _${name}\\??: .+; ?$`, "m"), member, narrowed);
  return replaced(stored, new RegExp(`^  public set ${name}\\(value: .+\\) \\{$`, "m"), member, narrowed);
}

function replaced(
  body: string,
  pattern: RegExp,
  member: Member,
  change: (text: string, member: Member) => string,
): string {
  if (!pattern.test(body))
    throw new Error(`The generator made no ${pattern.source} for ${member.attributeName}.`);
  return body.replace(pattern, (text) => change(text, member));
}

/** Returns a line of the source with the values instead of `number` or `string`. */
function narrowed(line: string, { attribute }: Member): string {
  const { name, members } = attribute.text.values!;
  const union = [...members.map(({ value }) => JSON.stringify(value)), tokenType(name)].join(" | ");
  const start = line.indexOf(":");
  const type = line
    .slice(start)
    .replace(/\b(?:number|string)\b(\[\])?/, (_, many: string | undefined) =>
      many === undefined ? union : `(${union})[]`,
    );
  return line.slice(0, start) + type;
}
