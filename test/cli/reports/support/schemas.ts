import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import { validateXML } from "xmllint-wasm";

const docs = (name: string) => readFileSync(path.join(__dirname, "../../../../docs", name), "utf8");

let compiled: ValidateFunction | undefined;

/** Validates a JSON report with docs/report.schema.json, and returns the errors. */
export function schemaErrors(report: unknown): unknown {
  compiled ??= new Ajv({ strict: true }).compile(JSON.parse(docs("report.schema.json")));
  const isValid = compiled;
  return isValid(report) ? [] : isValid.errors;
}

/** Validates a JUnit report with docs/junit.xsd, and returns the errors. */
export async function junitErrors(contents: string): Promise<unknown> {
  const { errors } = await validateXML({
    xml: { fileName: "report.xml", contents },
    schema: { fileName: "junit.xsd", contents: docs("junit.xsd") },
  });
  return errors;
}
