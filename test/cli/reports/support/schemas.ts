import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import { validateXML } from "xmllint-wasm";

const docs = (name: string) => readFileSync(path.join(__dirname, "../../../../docs", name), "utf8");

let compiled: ValidateFunction | undefined;

/** Returns the errors of a JSON report against docs/report.schema.json. */
export function schemaErrors(report: unknown): unknown {
  compiled ??= new Ajv({ strict: true }).compile(JSON.parse(docs("report.schema.json")));
  const isValid = compiled;
  return isValid(report) ? [] : isValid.errors;
}

/** Returns the errors of a JUnit report against docs/junit.xsd. */
export async function junitErrors(contents: string): Promise<unknown> {
  const { errors } = await validateXML({
    xml: { fileName: "report.xml", contents },
    schema: { fileName: "junit.xsd", contents: docs("junit.xsd") },
  });
  return errors;
}
