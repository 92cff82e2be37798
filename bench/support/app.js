// A user's app. The app uses constructs to declare the resources in a JSON file. The file has the attributes of each
// resource, by type and name.
const { readFileSync } = require("node:fs");
const { App, TerraformResource, TerraformStack } = require("cdktf");
const steward = require("cdktf-provider-steward");

const camelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const className = (type) => camelCase(type.replace(/^steward/, ""));
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
const declare = (type, id, attributes) => {
  if (type.startsWith("steward_")) return new steward[className(type)](stack, id, propertiesOf(attributes));
  // Declares a builtin resource such as terraform_data. cdktf's construct for the resource would run `terraform
  // version` each time.
  const own = new TerraformResource(stack, id, { terraformResourceType: type });
  for (const [name, value] of Object.entries(attributes)) own.addOverride(name, value);
};
for (const [type, named] of Object.entries(JSON.parse(readFileSync(file, "utf8"))))
  for (const [id, attributes] of Object.entries(named)) declare(type, id, attributes);
app.synth();
