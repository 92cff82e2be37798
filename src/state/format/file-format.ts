import { fail } from "../../diagnostics";
import { instanceAddress, moduleChain, resourceAddress } from "../../language";
import {
  compareResources,
  type FleetRecord,
  type InstanceState,
  isJsonObject,
  type Json,
  type JsonObject,
  type OutputState,
  type ResourceState,
  STATE_FORMAT_VERSION,
  type State,
} from "../model/model";
import { type Field, rootOf } from "./fields";
import { readPath } from "./sensitive-paths";

/**
 * Parses a state of format version 4, as Terraform and OpenTofu write it.
 *
 * @param file the path or URL for errors.
 * @throws DiagnosticError `state_empty`, `state_not_json`, `state_encrypted`, `state_version_newer`, `state_version_older`,
 * `state_damaged`
 */
export function parseState(text: string, file: string): State {
  if (text.trim() === "") {
    fail({
      code: "state_empty",
      summary: "State is empty",
      detail: `${file} is empty. Restore the copy that ends in ".backup", or delete the file to start a new state.`,
    });
  }
  const root = rootOf(text, file);
  refuseEncrypted(root, file);
  checkVersion(root, file);
  return readState(root);
}

/** Throws for a state that OpenTofu encrypted. Such a state has the keys `encrypted_data` and `encryption_version`. */
function refuseEncrypted(root: Field, file: string): void {
  const { encrypted_data, encryption_version } = root.object();
  if (encrypted_data === undefined || encryption_version === undefined) return;
  fail({
    code: "state_encrypted",
    summary: "State is encrypted",
    detail: `OpenTofu encrypted ${file}, and Steward can't decrypt states. To remove the encryption, declare an \`unencrypted\` method as \`state\` and the current method as its \`fallback\`, then run \`tofu apply\`. To keep it, run OpenTofu with this command.`,
    action: { kind: "other", program: "tofu plan" },
  });
}

function checkVersion(root: Field, file: string): void {
  const version = root.at("version").count();
  if (version === STATE_FORMAT_VERSION) return;
  const writer = root.at("terraform_version").value;
  const by = typeof writer === "string" ? `, written by version ${JSON.stringify(writer)}` : "";
  if (version > STATE_FORMAT_VERSION) {
    fail({
      code: "state_version_newer",
      summary: "State has a newer format",
      detail: `${file} has format version ${version}${by}, but this release reads only version ${STATE_FORMAT_VERSION}. Use a newer release, or run the Terraform that wrote it with this command.`,
      action: { kind: "other", program: "terraform plan" },
    });
  }
  unsupportedVersion(`${file} has format version ${version}${by}`);
}

function unsupportedVersion(found: string): never {
  return fail({
    code: "state_version_older",
    summary: "State has an older format",
    detail: `${found}, but only version ${STATE_FORMAT_VERSION} is supported. Run \`terraform apply -refresh-only\` once with Terraform 1.x to convert the state.`,
  });
}

function readState(root: Field): State {
  const { version, terraform_version, serial, lineage, outputs, resources, check_results, ...extra } =
    root.object();
  return {
    serial: root.at("serial").count(),
    lineage: root.at("lineage").text(),
    terraformVersion: root.at("terraform_version").text(),
    outputs: readOutputs(root.at("outputs")),
    resources: readResources(root.at("resources")),
    ...(check_results === undefined || check_results === null ? {} : { checkResults: check_results }),
    ...extraKeys(extra),
  };
}

const extraKeys = (extra: JsonObject): { extra?: JsonObject } =>
  Object.keys(extra).length === 0 ? {} : { extra };

/** Returns the fields whose keys this release doesn't know; undefined if the object has no such fields. */
function otherKeys(json: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  let extra: JsonObject | undefined;
  for (const key in json)
    if (!known.has(key)) {
      extra ??= {};
      extra[key] = json[key]!;
    }
  return extra;
}

function readOutputs(field: Field): Record<string, OutputState> {
  const names = Object.keys(field.object());
  return Object.fromEntries(names.map((name) => [name, readOutput(field.at(name))]));
}

function readOutput(field: Field): OutputState {
  const { value, type, sensitive, ...extra } = field.object();
  return {
    value: value === undefined ? field.at("value").fail("a value") : value,
    type: typeof type === "string" || Array.isArray(type) ? type : field.at("type").fail("a type"),
    sensitive: sensitive === undefined ? false : field.at("sensitive").flag(),
    ...extraKeys(extra),
  };
}

function readResources(field: Field): ResourceState[] {
  const resources: ResourceState[] = [];
  /**
   * The addresses of the resources that were already read, to find duplicates. Undefined while the resources are in the
   * order of written states, because no address can then occur twice.
   */
  let seen: Set<string> | undefined;
  for (const one of field.list()) {
    const resource = readResource(one);
    const last = resources.at(-1);
    if (seen !== undefined || (last !== undefined && !isInOrder(last, resource))) {
      seen ??= new Set(resources.map(resourceAddress));
      requireUnique(seen, resources.length, resourceAddress(resource), one);
    }
    resources.push(resource);
  }
  return resources;
}

const isInOrder = (one: ResourceState, next: ResourceState): boolean =>
  one.type === next.type && one.mode === next.mode && one.module === next.module
    ? one.name < next.name
    : compareResources(one, next) < 0;

/** Adds an address to `seen`, and throws if `seen` already contained it. @param before the size of `seen` before this call */
function requireUnique(seen: Set<string>, before: number, address: string, field: Field): void {
  seen.add(address);
  if (seen.size === before) field.fail(`unique, but ${address} occurs twice`);
}

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

const isIdentifier = (value: Json | undefined): value is string =>
  typeof value === "string" && IDENTIFIER.test(value);

const PROVIDER = /(?:^|\.)provider[.[]/;

const RESOURCE_KEYS: ReadonlySet<string> = new Set([
  "mode",
  "type",
  "name",
  "module",
  "each",
  "provider",
  "instances",
  "fleet",
]);

/**
 * Reads the JSON of one resource of a state.
 *
 * @throws DiagnosticError `state_damaged`
 */
export function readResource(field: Field): ResourceState {
  const json = field.object();
  const { module, each } = json;
  const resource: ResourceState = {
    mode: json["mode"] === "managed" ? "managed" : field.at("mode").oneOf("managed", "data"),
    type: readType(field, json["type"]),
    name: isIdentifier(json["name"])
      ? json["name"]
      : field.at("name").matching(IDENTIFIER, "the name of a resource"),
    provider: readProvider(field, json["provider"]),
    instances: [],
  };
  const extra = otherKeys(json, RESOURCE_KEYS);
  if (extra !== undefined) resource.extra = extra;
  if (module !== undefined && module !== "") resource.module = readModule(field.at("module"));
  if (each !== undefined) resource.each = field.at("each").text();
  if (json["fleet"] !== undefined) resource.fleet = readFleet(field.at("fleet"));
  resource.instances = readInstances(field.at("instances"), resource);
  return resource;
}

function readFleet(field: Field): FleetRecord | null {
  if (field.value === null) return null;
  field.object();
  return {
    path: field.at("path").text(),
    part: field.at("part").text(),
    onLeave: field.at("on_leave").oneOf("keep", "reset"),
    ...(field.at("matched").value !== undefined && {
      matched: field
        .at("matched")
        .list()
        .map((one) => one.text()),
    }),
  };
}

function readModule(field: Field): string {
  const address = field.text();
  return moduleChain(address) === undefined ? field.fail("the address of a module") : address;
}

function readInstances(field: Field, resource: ResourceState): InstanceState[] {
  const fields = field.list();
  const instances = fields.map(readInstance);
  if (instances.length < 2) return instances;
  const seen = new Set<string>();
  for (const [index, instance] of instances.entries()) {
    const deposed = instance.deposed === undefined ? "" : ` (deposed ${instance.deposed})`;
    requireUnique(seen, index, `${instanceAddress(resource, instance)}${deposed}`, fields[index]!);
  }
  return instances;
}

/** Matches standard base64 with padding, as Terraform writes it. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const INSTANCE_KEYS: ReadonlySet<string> = new Set([
  "index_key",
  "deposed",
  "status",
  "schema_version",
  "attributes",
  "attributes_flat",
  "sensitive_attributes",
  "private",
  "dependencies",
  "create_before_destroy",
  "identity_schema_version",
  "identity",
]);

function readInstance(field: Field): InstanceState {
  const json = field.object();
  if (json["attributes"] === undefined && json["attributes_flat"] !== undefined) {
    unsupportedVersion("An instance in the state has `attributes_flat`, from before Terraform 0.12");
  }
  const { schema_version: version, attributes, sensitive_attributes: paths, dependencies } = json;
  // Each object has ten fields. To save time, a `Field` is created only for a value that can be wrong.
  const instance: InstanceState = {
    schemaVersion: version === 0 ? 0 : field.at("schema_version").count(),
    attributes: isJsonObject(attributes) ? attributes : field.at("attributes").object(),
    sensitivePaths: isLeftOut(paths) ? [] : field.at("sensitive_attributes").list().map(readPath),
    dependencies: isLeftOut(dependencies)
      ? []
      : field
          .at("dependencies")
          .list()
          .map((one) => one.text()),
  };
  if ((json["index_key"] ?? null) !== null) instance.indexKey = readKey(field.at("index_key"));
  if (json["deposed"] !== undefined)
    instance.deposed = field.at("deposed").matching(/^.{8}$/u, "a key of eight letters");
  if (json["status"] !== undefined) instance.status = field.at("status").oneOf("tainted");
  if (json["private"] !== undefined) instance.private = readPrivate(field, json["private"]);
  if (json["create_before_destroy"] !== undefined)
    instance.createBeforeDestroy = field.at("create_before_destroy").flag();
  const extra = otherKeys(json, INSTANCE_KEYS);
  const identityVersion = json["identity_schema_version"];
  if ((json["identity"] ?? null) !== null) {
    instance.identity = readIdentity(field);
    if (extra !== undefined) instance.extra = extra;
  } else if (identityVersion !== undefined) {
    // Terraform writes the version of the identity's schema also for objects without an identity.
    instance.extra = { identity_schema_version: identityVersion, ...extra };
  } else if (extra !== undefined) instance.extra = extra;
  return instance;
}

const isLeftOut = (value: Json | undefined): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

/**
 * Returns a function that reads a text of an object. Most objects have the same text as the previous object, so the function
 * does not check an equal text again.
 */
function repeatedText(key: string, pattern: RegExp, expected: string) {
  let last: string | undefined;
  return (field: Field, value: Json | undefined): string => {
    if (value !== last || last === undefined) last = field.at(key).matching(pattern, expected);
    return last;
  };
}

const readType = repeatedText("type", IDENTIFIER, "the name of a resource type");
const readProvider = repeatedText("provider", PROVIDER, "the address of a provider configuration");
const readPrivate = repeatedText("private", BASE64, "base64");

function readIdentity(field: Field): NonNullable<InstanceState["identity"]> {
  const { identity, identity_schema_version: version = 0 } = field.object();
  return {
    version: version === 0 || version === null ? 0 : field.at("identity_schema_version").count(),
    values: isJsonObject(identity) ? identity : field.at("identity").object(),
  };
}

function readKey(field: Field): string | number {
  return typeof field.value === "string" ? field.value : field.count();
}
