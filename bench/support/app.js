// A user's app: declares what a JSON file has, resources by type and name, with the constructs.
const { readFileSync } = require("node:fs");
const { App, DataResource, TerraformStack } = require("cdktf");
const steward = require("cdktf-provider-steward");

const camelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const classOf = (type) =>
  type === "terraform_data" ? DataResource : steward[camelCase(type.replace(/^steward/, ""))];
const propertiesOf = (value) => {
  if (Array.isArray(value)) return value.map(propertiesOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camelCase(name), propertiesOf(inner)]),
  );
};

const [file, outdir, name] = process.argv.slice(2);
const app = new App({ outdir });
const stack = new TerraformStack(app, name);
new steward.StewardProvider(stack, "steward");
for (const [type, named] of Object.entries(JSON.parse(readFileSync(file, "utf8"))))
  for (const [id, attributes] of Object.entries(named))
    new (classOf(type))(stack, id, propertiesOf(attributes));
app.synth();
