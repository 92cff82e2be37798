import type { CommandLine } from "./command-line";

export const schemaLine: CommandLine<Record<never, never>> = {
  name: "schema",
  summary: "write the provider's schema as JSON",
  description:
    "Writes the schema of all resources and data sources, in the shape of `terraform providers schema -json`. It is always JSON.",
  examples: [["steward schema > schema.json", "save the schema for a generator"]],
  define: (command) =>
    void command.option("--json", "accepted for compatibility with Terraform; the output is always JSON"),
  read: () => ({}),
};
