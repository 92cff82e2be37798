import { DYNAMIC, isKnown, STRING, string, textOf, unknown, type Value } from "../../values";
import { type FunctionTable, nullableFn } from "./function";
import { decodeYaml } from "./yaml-decoding";
import { encodeYaml } from "./yaml-encoding";

const encode = (value: Value): Value => (value.containsUnknown ? unknown(STRING) : string(encodeYaml(value)));

const YAML_FUNCTIONS: FunctionTable = {
  yamldecode: nullableFn(
    { src: STRING },
    ([src]) => (isKnown(src) ? decodeYaml(textOf(src)).type : DYNAMIC),
    ([src]) => decodeYaml(textOf(src)),
  ),
  yamlencode: nullableFn({ value: { type: DYNAMIC, dynamic: true, nullable: true } }, STRING, ([value]) =>
    encode(value),
  ),
};

export = YAML_FUNCTIONS;
