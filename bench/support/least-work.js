// For a plan of protected environments: the necessary parts in addition to reading and parsing. The code of each part
// is as short as possible for this one resource type. `bare-process.js` runs the parts of its job in the order of
// `PARTS`.
const { createHash } = require("node:crypto");
const { loadBundle } = require("../../dist/cli/bundles");

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
const PROVIDER = /^provider\["[^"]+"\](?:\..+)?$/;

exports.PARTS = ["program", "digest", "names", "types", "records", "compare"];

exports.start = (parts) => {
  if (parts.includes("program")) loadBundle("program.js");
};

/**
 * Does some parts of a plan. `configuration` and `state` are parsed, `text` is the text of the state, and `records` are
 * the records of all pages.
 */
exports.work = (parts, { configuration, state, text, records }) => {
  const has = (part) => parts.includes(part);
  // Calculates the digest of the state. Saved plans and state writes need the digest to notice that the state has
  // changed.
  if (has("digest")) createHash("sha256").update(text).digest("hex");
  const declared = new Map();
  const held = new Map();
  const live = new Map();
  if (has("names")) {
    // Visits each declaration and each object once, and checks its address.
    for (const type in configuration.resource)
      for (const name in configuration.resource[type]) {
        const address = `${type}.${name}`;
        if (!NAME.test(name)) throw new Error(address);
        declared.set(address, configuration.resource[type][name]);
      }
    for (const { mode, type, name, provider, instances } of state.resources) {
      const address = `${type}.${name}`;
      if (mode !== "managed" || !PROVIDER.test(provider) || !NAME.test(name)) throw new Error(address);
      if (held.has(address) || instances.length !== 1) throw new Error(address);
      held.set(address, instances[0]);
    }
  }
  if (has("types")) {
    const owners = new Map();
    for (const [address, one] of declared) {
      // Checks that no value is an expression, that every value has its type, and that no two declarations own the
      // same object.
      for (const key in one)
        if (!["project", "name", "deploy_access_levels"].includes(key)) throw new Error(key);
      if (isExpression(one.project) || isExpression(one.name) || one.name === "") throw new Error(address);
      if (!Array.isArray(one.deploy_access_levels)) throw new Error(address);
      for (const level of one.deploy_access_levels) checkLevel(level);
      const object = `${one.project}:${one.name}`;
      if (owners.has(object)) throw new Error(address);
      owners.set(object, address);
    }
  }
  if (has("records"))
    for (const record of records) {
      if (typeof record.name !== "string" || !Number.isSafeInteger(record.required_approval_count))
        throw new Error("record");
      if (!Array.isArray(record.deploy_access_levels) || !Array.isArray(record.approval_rules))
        throw new Error("record");
      for (const level of record.deploy_access_levels) checkLevel(level);
      live.set(record.name, record);
    }
  if (has("compare")) {
    let changes = 0;
    for (const [address, one] of declared) {
      const { attributes, private: memory } = held.get(address);
      const record = live.get(attributes.name);
      const isSame =
        record !== undefined &&
        memory !== undefined &&
        attributes.id === `1:${record.name}` &&
        one.name === attributes.name &&
        one.project === attributes.project &&
        attributes.required_approval_count === record.required_approval_count &&
        sameLevels(one.deploy_access_levels, attributes.deploy_access_levels, false) &&
        sameLevels(record.deploy_access_levels, attributes.deploy_access_levels, true) &&
        attributes.approval_rules.length === record.approval_rules.length;
      if (!isSame) changes += 1;
    }
    for (const address of held.keys()) if (!declared.has(address)) changes += 1;
    if (changes > 0) throw new Error(`${changes} changes`);
  }
};

const isExpression = (text) => typeof text !== "string" || /[$%]\{/.test(text);

function checkLevel({ user_id, group_id, access_level, group_inheritance_type }) {
  for (const one of [user_id, group_id, access_level, group_inheritance_type])
    if (one !== undefined && one !== null && !Number.isSafeInteger(one)) throw new Error("level");
}

function sameLevels(levels, stored, isLive) {
  if (levels.length !== stored.length) return false;
  for (let index = 0; index < levels.length; index += 1) {
    const { access_level = null, group_inheritance_type = 0 } = levels[index];
    const one = stored[index];
    if (access_level !== one.access_level || group_inheritance_type !== one.group_inheritance_type)
      return false;
    if (isLive && (levels[index].user_id !== one.user || levels[index].group_id !== one.group)) return false;
  }
  return true;
}
