// Calls the RPCs of the plugin as Terraform does for a no-change plan, in a new process. Each RPC is called for every
// object, with encoded requests and responses. Prints the processor time of each RPC in microseconds per call. The
// argument is a JSON file with the paths of the configuration and the state, and the address and token of the service.
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { setFlagsFromString } = require("node:v8");
const { Encoder } = require("@msgpack/msgpack");

const DIST = path.join(__dirname, "..", "..", "dist");
const { createProvider } = require(path.join(DIST, "provider"));
const { OPERATIONS } = require(path.join(DIST, "plugin", "operations"));
const { respond } = require(path.join(DIST, "plugin", "operations", "operation"));
const { PROVIDER_SERVICE } = require(path.join(DIST, "plugin", "messages", "generated", "tfplugin6"));
const { Session } = require(path.join(DIST, "plugin", "session"));
const { Secrets } = require(path.join(DIST, "plugin", "transport", "log"));

// Sets the same flags of V8 as the plugin's launcher.
setFlagsFromString("--wasm-tiering-budget=1000000000");
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString("--interrupt-budget=300000");

/** The number of calls at the same time. Terraform also calls up to 10 RPCs at the same time. */
const PARALLELISM = 10;
const NOTHING = Buffer.from([0xc0]);
const encoder = new Encoder();
const { configuration, state, url, token } = JSON.parse(readFileSync(process.argv[2], "utf8"));

const provider = createProvider();
const session = new Session(provider, { run: {}, secrets: new Secrets() });

/** Encodes an object as Terraform does: with all attributes, in the order of their names. */
function encoded(attributes, value) {
  const all = Object.keys(attributes).sort();
  return {
    msgpack: encoder.encode(
      Object.fromEntries(all.map((name) => [name, whole(attributes[name].type, value[name] ?? null)])),
    ),
  };
}

function whole(type, value) {
  if (value === null || type.nested === undefined) return value;
  const one = (element) =>
    Object.fromEntries(
      Object.keys(type.nested)
        .sort()
        .map((name) => [name, whole(type.nested[name].type, element[name] ?? null)]),
    );
  return Array.isArray(value) ? value.map(one) : one(value);
}

const call = (name, request) => {
  const { requestDeserialize, responseSerialize, responseDeserialize } = PROVIDER_SERVICE[name];
  const answer = respond(OPERATIONS[name], session, requestDeserialize(request));
  const write = (response) => ({
    bytes: responseSerialize(response),
    read: () => responseDeserialize(responseSerialize(response)),
  });
  return answer instanceof Promise ? answer.then(write) : write(answer);
};

/** Measures the processor microseconds per call of an RPC. Also returns the responses. */
async function measured(name, requests) {
  const bytes = requests.map((request) => PROVIDER_SERVICE[name].requestSerialize(request));
  const answers = new Array(bytes.length);
  globalThis.gc?.();
  const began = process.cpuUsage();
  let next = 0;
  const worker = async () => {
    while (next < bytes.length) {
      const index = next++;
      answers[index] = await call(name, bytes[index]);
    }
  };
  await Promise.all(Array.from({ length: PARALLELISM }, worker));
  const { user, system } = process.cpuUsage(began);
  const decoded = answers.map(({ read }) => read());
  const failed = decoded.flatMap(({ diagnostics = [] }) => diagnostics);
  if (failed.length > 0) throw new Error(`${name}: ${JSON.stringify(failed[0])}`);
  return { microseconds: (user + system) / bytes.length, answers: decoded };
}

async function main() {
  const figures = {};
  const run = async (name, requests) => {
    const { microseconds, answers } = await measured(name, requests);
    figures[name] = microseconds;
    return answers;
  };
  const declared = Object.entries(JSON.parse(readFileSync(configuration, "utf8")).resource).flatMap(
    ([typeName, named]) =>
      Object.entries(named).map(([name, { provider: _, lifecycle: __, ...values }]) => ({
        typeName,
        name,
        values,
      })),
  );
  const stored = new Map(
    JSON.parse(readFileSync(state, "utf8")).resources.map(({ type, name, instances }) => [
      `${type}.${name}`,
      instances[0],
    ]),
  );
  const objects = declared.map(({ typeName, name, values }) => {
    const { attributes } = provider.schema.resources[typeName];
    const instance = stored.get(`${typeName}.${name}`);
    return { typeName, config: encoded(attributes, values), instance };
  });
  await run("GetProviderSchema", [{}]);
  await run(
    "ValidateResourceConfig",
    objects.map(({ typeName, config }) => ({ typeName, config })),
  );
  const upgraded = await run(
    "UpgradeResourceState",
    objects.map(({ typeName, instance }) => ({
      typeName,
      version: instance.schema_version,
      rawState: { json: Buffer.from(JSON.stringify(instance.attributes)) },
    })),
  );
  const configured = { base_url: url, token };
  await run("ConfigureProvider", [{ config: encoded(provider.schema.provider.attributes, configured) }]);
  const read = await run(
    "ReadResource",
    objects.map(({ typeName, instance }, index) => ({
      typeName,
      currentState: upgraded[index].upgradedState,
      private: Buffer.from(instance.private ?? "", "base64"),
    })),
  );
  const planned = await run(
    "PlanResourceChange",
    objects.map(({ typeName, config }, index) => ({
      typeName,
      priorState: read[index].newState,
      proposedNewState: read[index].newState,
      config,
      priorPrivate: read[index].private,
    })),
  );
  planned.forEach(({ plannedState }, index) => {
    if (!Buffer.from(plannedState.msgpack).equals(read[index].newState.msgpack ?? NOTHING))
      throw new Error(`The plan of object ${index} should be empty.`);
  });
  await session.close();
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

main().catch((problem) => {
  process.stderr.write(`${problem.stack}\n`);
  process.exitCode = 1;
});
