import {
  DataResource,
  Fn,
  Op,
  propertyAccess,
  TerraformCount,
  TerraformElement,
  TerraformIterator,
  TerraformLocal,
  TerraformOutput,
  TerraformStack,
  TerraformVariable,
  Testing,
  Token,
} from "cdktf";
import {
  AccessLevel,
  DataStewardProject,
  JobTokenAllowlist,
  JobTokenAllowlistProject,
  JobTokenScope,
  ProtectedEnvironment,
  StewardProvider,
} from "cdktf-provider-steward";
import { UNSUPPORTED_FUNCTIONS } from "../../../../src/language/syntax/function-registry";
import type { Blocks } from "../case";

/** Calls of functions of `Fn`, by the name of the function. The result of each function depends only on its arguments. */
export const FUNCTIONS: Readonly<Record<string, () => unknown>> = {
  abs: () => Fn.abs(-3),
  alltrue: () => Fn.alltrue([true, false]),
  anytrue: () => Fn.anytrue([true, false]),
  base64decode: () => Fn.base64decode("aGVsbG8="),
  base64encode: () => Fn.base64encode("hello"),
  base64gzip: () => Fn.lengthOf(Fn.base64gzip("hello")),
  base64sha256: () => Fn.base64sha256("hello"),
  base64sha512: () => Fn.base64sha512("hello"),
  basename: () => Fn.basename("a/b.txt"),
  can: () => Fn.can(Fn.tonumber("a")),
  ceil: () => Fn.ceil(1.2),
  chomp: () => Fn.chomp("line\n"),
  chunklist: () => Fn.chunklist(["a", "b", "c"], 2),
  cidrhost: () => Fn.cidrhost("10.12.112.0/20", 16),
  cidrnetmask: () => Fn.cidrnetmask("172.16.0.0/12"),
  cidrsubnet: () => Fn.cidrsubnet("172.16.0.0/12", 4, 2),
  cidrsubnets: () => Fn.cidrsubnets("10.1.0.0/16", [4, 4, 8]),
  coalesce: () => Fn.coalesce(["", "b"]),
  coalescelist: () => Fn.coalescelist([[], ["c"]]),
  compact: () => Fn.compact(["a", "", "b"]),
  concat: () => Fn.concat([["a"], ["b", 1]]),
  conditional: () => Fn.conditional(Op.gt(2, 1), "more", "less"),
  contains: () => Fn.contains(["a", "b"], "b"),
  csvdecode: () => Fn.csvdecode("a,b\n1,2\n"),
  dirname: () => Fn.dirname("a/b.txt"),
  distinct: () => Fn.distinct(["a", "b", "a"]),
  element: () => Fn.element(["a", "b"], 3),
  endswith: () => Fn.endswith("hello", "lo"),
  flatten: () => Fn.flatten([["a"], [["b"]]]),
  floor: () => Fn.floor(1.8),
  format: () => Fn.format("%s-%03d %v", ["a", 7, true]),
  formatdate: () => Fn.formatdate("YYYY-MM-DD", "2026-11-21T10:00:00Z"),
  formatlist: () => Fn.formatlist("%s!", [["a", "b"]]),
  indent: () => Fn.indent(2, "a\nb"),
  index: () => Fn.index(["a", "b"], "b"),
  join: () => Fn.join("-", ["a", "b"]),
  jsondecode: () => Fn.jsondecode(Fn.rawString('{"a":[1,null,true]}')),
  jsonencode: () => Fn.jsonencode({ a: [1, "x"] }),
  keys: () => Fn.keys({ b: 1, a: 2 }),
  lengthOf: () => Fn.lengthOf(["a", "b"]),
  log: () => Fn.log(16, 2),
  lookup: () => Fn.lookup({ a: "1" }, "b", "none"),
  lookupNested: () => Fn.lookupNested({ a: { b: 1 } }, ["a", "b"]),
  lower: () => Fn.lower("ABC"),
  matchkeys: () => Fn.matchkeys(["i", "j"], ["a", "b"], ["b"]),
  max: () => Fn.max([1, 3, 2]),
  md5: () => Fn.md5("hello"),
  merge: () => Fn.merge([{ a: 1 }, { b: 2 }]),
  min: () => Fn.min([1, 3, 2]),
  nonsensitive: () => Fn.nonsensitive(Fn.sensitive("shown")),
  one: () => Fn.one(["only"]),
  parseint: () => Fn.parseint("ff", 16),
  pow: () => Fn.pow(2, 10),
  range: () => Fn.range(1, 7, 2),
  rawString: () => Fn.upper(Fn.rawString("a ${not} template")),
  regex: () => Fn.regex("[a-z]+", "53453453.abc"),
  regexall: () => Fn.regexall("[a-z]+", "1ab2cd"),
  replace: () => Fn.replace("1 + 2", "+", "-"),
  reverse: () => Fn.reverse(["a", "b"]),
  sensitive: () => Fn.nonsensitive(Fn.sensitive({ a: 1 })),
  setintersection: () => Fn.setintersection(["a", "b"], [["b", "c"]]),
  setproduct: () => Fn.setproduct([["a"], ["x", "y"]]),
  setsubtract: () => Fn.setsubtract(["a", "b"], ["b"]),
  setunion: () => Fn.setunion(["a"], [["b"], ["a"]]),
  sha1: () => Fn.sha1("hello"),
  sha256: () => Fn.sha256("hello"),
  sha512: () => Fn.sha512("hello"),
  signum: () => Fn.signum(-9),
  slice: () => Fn.slice(["a", "b", "c"], 1, 3),
  sort: () => Fn.sort(["b", "a"]),
  split: () => Fn.split(",", "a,b"),
  startswith: () => Fn.startswith("hello", "he"),
  strcontains: () => Fn.strcontains("hello", "ell"),
  strrev: () => Fn.strrev("abc"),
  substr: () => Fn.substr("hello", 1, 3),
  sum: () => Fn.sum([1, 2.5]),
  textdecodebase64: () => Fn.textdecodebase64("SABlAGwAbABvAA==", "UTF-16LE"),
  textencodebase64: () => Fn.textencodebase64("Hello", "UTF-16LE"),
  timeadd: () => Fn.timeadd("2026-11-21T10:00:00Z", "90m"),
  timecmp: () => Fn.timecmp("2026-11-21T10:00:00Z", "2026-11-22T10:00:00Z"),
  title: () => Fn.title("hello world"),
  tobool: () => Fn.tobool("true"),
  tolist: () => Fn.tolist(["a", "b"]),
  tomap: () => Fn.tomap({ a: 1 }),
  tonumber: () => Fn.tonumber("12.5"),
  toset: () => Fn.toset(["b", "a", "b"]),
  tostring: () => Fn.tostring(12.5),
  transpose: () => Fn.transpose({ a: ["1", "2"], b: ["2"] }),
  trim: () => Fn.trim("?!hello?!", "!?"),
  trimprefix: () => Fn.trimprefix("helloworld", "hello"),
  trimspace: () => Fn.trimspace("  hello\n"),
  trimsuffix: () => Fn.trimsuffix("helloworld", "world"),
  try: () => Fn.try([Fn.tonumber("a"), "fallback"]),
  upper: () => Fn.upper("abc"),
  urlencode: () => Fn.urlencode("a b&c"),
  uuidv5: () => Fn.uuidv5("dns", "acme.example"),
  values: () => Fn.values({ b: 1, a: 2 }),
  yamldecode: () => Fn.yamldecode("a: [1, two]"),
  yamlencode: () => Fn.yamlencode({ a: [1, "two"] }),
  zipmap: () => Fn.zipmap(["a", "b"], [1, 2]),
};

/** The functions that the app does not call. The value is the reason why the embedded engine refuses the function. */
export const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ...[...UNSUPPORTED_FUNCTIONS]
    .filter(([name]) => name in Fn)
    .map(([name, { reason }]) => [name, reason] as const),
  ["rsadecrypt", "takes a private key, which stands in no app"],
]);

/**
 * A call of each operator, by its name in `Op`. No operand is false or 0, because cdktf writes `undefined` for these
 * values.
 */
export const OPERATORS: Readonly<Record<string, () => unknown>> = {
  add: () => Op.add(1, 2),
  and: () => Op.and(true, true),
  div: () => Op.div(7, 2),
  eq: () => Op.eq("a", "a"),
  gt: () => Op.gt(2, 1),
  gte: () => Op.gte(2, 2),
  lt: () => Op.lt(2, 1),
  lte: () => Op.lte(2, 2),
  mod: () => Op.mod(7, 3),
  mul: () => Op.mul(6, 7),
  negate: () => Op.negate(5),
  neq: () => Op.neq("a", "b"),
  not: () => Op.not(true),
  or: () => Op.or(true, true),
  sub: () => Op.sub(1, 2),
};

const PROJECT = "acme/cdktf_app";

/** A stack that uses the features of cdktf for iteration, references, expressions and object lifecycles. */
class App extends TerraformStack {
  /** @param hasMoved whether the app declares the objects under their new names */
  constructor(hasMoved: boolean) {
    super(Testing.app(), "app");
    this.#functions();
    const level = this.#variables();
    this.#iterators(level);
    this.#lifecycles(level);
    this.#imports();
    this.#data();
    if (hasMoved) this.#moved();
    else this.#unmoved();
  }

  #output = (name: string, value: unknown): TerraformOutput =>
    new TerraformOutput(this, `cdktf_app_out_${name}`, { value, staticId: true });

  #functions(): void {
    for (const [name, call] of Object.entries(FUNCTIONS)) this.#output(`fn_${name}`, call());
    for (const [name, call] of Object.entries(OPERATORS)) this.#output(`op_${name}`, call());
  }

  #variables(): TerraformVariable {
    const level = new TerraformVariable(this, "cdktf_app_level", { type: "number", default: 40 });
    const names = new TerraformVariable(this, "cdktf_app_names", {
      type: "map(object({ name = string, tags = optional(list(string), []) }))",
      default: { one: { name: "review-1" }, two: { name: "review-2", tags: ["x"] } },
    });
    const local = new TerraformLocal(this, "cdktf_app_local", {
      level: level.value,
      list: ["a", level.value],
    });
    this.#output("variable", `level ${level.numberValue} of ${names.stringValue === "" ? "none" : "some"}`);
    this.#output("property", propertyAccess(names.value, ["two", "tags", 0]));
    this.#output("local", Fn.lookupNested(local.expression, ["list", 1]));
    this.#output("token", Token.asList(Fn.tolist([level.value, 1])));
    return level;
  }

  #iterators(level: TerraformVariable): void {
    const list = TerraformIterator.fromList(["acme/tools", "acme/runner"]);
    const projects = new DataStewardProject(this, "cdktf_app_each", { forEach: list, project: list.value });
    const chained = TerraformIterator.fromResources(projects);
    new JobTokenAllowlistProject(this, "cdktf_app_chained", {
      forEach: chained,
      project: PROJECT,
      targetProject: chained.getString("id"),
    });
    const map = TerraformIterator.fromMap({ production: { level: 40 }, staging: { level: 30 } });
    const environments = new ProtectedEnvironment(this, "cdktf_app_map", {
      forEach: map,
      project: PROJECT,
      name: map.key,
      deployAccessLevels: [{ accessLevel: AccessLevel.fromToken(map.getNumber("level")) }],
    });
    const levels = TerraformIterator.fromList([30, 40]);
    new ProtectedEnvironment(this, "cdktf_app_dynamic", {
      project: PROJECT,
      name: "review-dynamic",
      deployAccessLevels: levels.dynamic({ access_level: levels.value }) as never,
    });
    const count = TerraformCount.of(2);
    new ProtectedEnvironment(this, "cdktf_app_count", {
      count,
      project: PROJECT,
      name: Token.asString(Fn.format("review-%s", [Token.asString(count.index)])),
      deployAccessLevels: [{ accessLevel: AccessLevel.fromToken(level.numberValue) }],
    });
    const all = TerraformIterator.fromResources(environments);
    const records = new TerraformLocal(this, "cdktf_app_complex", [
      { name: "a", levels: [30, 40], more: { x: 1 } },
    ]);
    const complex = TerraformIterator.fromComplexList(records.expression, "name");
    this.#output("complex", complex.forExpressionForMap("key", "val.levels"));
    const { keys, values } = { keys: map.keys(), values: complex.values() };
    this.#output("iterated", { keys, values, data: TerraformIterator.fromDataSources(projects).keys() });
    this.#output("pluck", all.pluckProperty("name"));
    this.#output("keys", list.forExpressionForList("upper(val)"));
    this.#output("object", map.forExpressionForMap("key", "val.level + 1"));
  }

  #lifecycles(level: TerraformVariable): void {
    const scope = new JobTokenScope(this, "cdktf_app_scope", {
      project: PROJECT,
      inboundEnabled: true,
      lifecycle: {
        preventDestroy: false,
        ignoreChanges: ["inbound_enabled"],
        precondition: [{ condition: Op.gt(level.value, 1), errorMessage: "It should be." }],
        postcondition: [{ condition: '${self.id != ""}', errorMessage: "It should have an id." }],
      },
    });
    new JobTokenAllowlist(this, "cdktf_app_allowlist", {
      project: "acme/docs",
      targetGroups: ["acme/platform"],
      dependsOn: [scope],
      lifecycle: {
        createBeforeDestroy: true,
        replaceTriggeredBy: [`${scope.terraformResourceType}.${scope.friendlyUniqueId}`],
      },
    });
    this.#output("scope", scope.inboundEnabled);
    this.#output("level", AccessLevel.MAINTAINER);
    this.#output("fqn", TerraformElement.isTerraformElement(scope));
  }

  /** Declares imports of existing objects. These imports use a provider configuration with an alias. */
  #imports(): void {
    const provider = new StewardProvider(this, "cdktf_app_provider", { alias: "cdktf_app" });
    const imported = new ProtectedEnvironment(this, "cdktf_app_imported", {
      provider,
      project: PROJECT,
      name: "review",
      deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
    });
    imported.importFrom(`${PROJECT}:review`);
    const read = new DataStewardProject(this, "cdktf_app_aliased", { provider, project: PROJECT });
    this.#output("aliased", read.id);
  }

  #data(): void {
    const data = new DataResource(this, "cdktf_app_data", {
      input: { list: ["a", "b"], text: "x" },
      triggersReplace: { version: 1 },
    });
    this.#output("data", propertyAccess(data.output, ["list", 1]));
  }

  #unmoved(): void {
    new DataResource(this, "cdktf_app_old", { input: { of: "old" } });
    new DataResource(this, "cdktf_app_one", { input: { of: "a" } });
  }

  #moved(): void {
    const renamed = new DataResource(this, "cdktf_app_new", { input: { of: "old" } });
    renamed.moveFromId("terraform_data.cdktf_app_old");
    const each = TerraformIterator.fromList(["a", "b"]);
    const many = new DataResource(this, "cdktf_app_many", { forEach: each, input: { of: each.value } });
    many.addMoveTarget("many");
    new DataResource(this, "cdktf_app_one", { input: { of: "a" } }).moveTo("many", "a");
  }
}

/**
 * Returns the output of the app without the parts that all cases share. The output keeps the second provider
 * configuration.
 */
export function synthesizedApp({ hasMoved = false } = {}): Blocks {
  const { terraform: _, ...blocks } = JSON.parse(Testing.synth(new App(hasMoved))) as Record<string, unknown>;
  return blocks as Blocks;
}
