/**
 * Configurations that contain a key twice in one object, or a block twice. Each configuration has the verdict of
 * Terraform 1.11, from `init -backend=false` and `validate`.
 */
export const REPEATED: readonly (readonly [what: string, text: string, verdict: "accepted" | "refused"])[] = [
  [
    "two resource keys",
    '{"resource":{"terraform_data":{"a":{}}},"resource":{"terraform_data":{"b":{}}},"output":{"x":{"value":"${terraform_data.a.id}${terraform_data.b.id}"}}}',
    "accepted",
  ],
  [
    "one type twice",
    '{"resource":{"terraform_data":{"a":{}},"terraform_data":{"b":{}}},"output":{"x":{"value":"${terraform_data.a.id}${terraform_data.b.id}"}}}',
    "accepted",
  ],
  ["one name twice", '{"resource":{"terraform_data":{"a":{},"a":{}}}}', "refused"],
  ["one name in two types", '{"resource":{"terraform_data":{"a":{}},"terraform_data":{"a":{}}}}', "refused"],
  ["argument twice", '{"resource":{"terraform_data":{"a":{"input":1,"input":2}}}}', "refused"],
  ["meta argument twice", '{"resource":{"terraform_data":{"a":{"count":1,"count":2}}}}', "refused"],
  [
    "lifecycle twice",
    '{"resource":{"terraform_data":{"a":{"lifecycle":{"prevent_destroy":true},"lifecycle":{"create_before_destroy":true}}}}}',
    "refused",
  ],
  [
    "lifecycle argument twice",
    '{"resource":{"terraform_data":{"a":{"lifecycle":{"prevent_destroy":true,"prevent_destroy":false}}}}}',
    "refused",
  ],
  [
    "two terraform keys",
    '{"terraform":{"required_version":">= 99"},"terraform":{"required_version":">= 1"}}',
    "refused",
  ],
  [
    "two terraform keys fine",
    '{"terraform":{"required_version":">= 1.0"},"terraform":{"required_version":">= 1"}}',
    "accepted",
  ],
  [
    "required_version twice",
    '{"terraform":{"required_version":">= 1","required_version":">= 1"}}',
    "refused",
  ],
  ["required_providers twice", '{"terraform":{"required_providers":{},"required_providers":{}}}', "refused"],
  [
    "required_providers in two",
    '{"terraform":{"required_providers":{}},"terraform":{"required_providers":{}}}',
    "refused",
  ],
  ["backend twice", '{"terraform":{"backend":{"local":{}},"backend":{"local":{}}}}', "refused"],
  ["backend type twice", '{"terraform":{"backend":{"local":{},"local":{}}}}', "refused"],
  ["two output keys", '{"output":{"a":{"value":1}},"output":{"b":{"value":1}}}', "accepted"],
  ["one output twice", '{"output":{"a":{"value":1},"a":{"value":2}}}', "refused"],
  ["output value twice", '{"output":{"a":{"value":1,"value":2}}}', "refused"],
  [
    "two locals keys",
    '{"locals":{"a":1},"locals":{"b":2},"output":{"x":{"value":"${local.a+local.b}"}}}',
    "accepted",
  ],
  ["one local twice", '{"locals":{"a":1,"a":2}}', "refused"],
  ["one local in two", '{"locals":{"a":1},"locals":{"a":2}}', "refused"],
  ["two variable keys", '{"variable":{"a":{"default":1}},"variable":{"b":{"default":1}}}', "accepted"],
  ["one variable twice", '{"variable":{"a":{"default":1},"a":{"default":1}}}', "refused"],
  ["variable default twice", '{"variable":{"a":{"default":1,"default":2}}}', "refused"],
  [
    "validation twice",
    '{"variable":{"a":{"default":1,"validation":{"condition":"${var.a==1}","error_message":"A."},"validation":{"condition":"${var.a<3}","error_message":"A."}}}}',
    "accepted",
  ],
  ["object key twice", '{"output":{"a":{"value":{"k":1,"k":2}}}}', "refused"],
  ["object key twice in a default", '{"variable":{"a":{"default":{"k":1,"k":2}}}}', "refused"],
  ["deep object key twice", '{"locals":{"a":{"b":[{"k":1,"k":2}]}}}', "refused"],
  ["comment twice", '{"//":"a","//":"b","output":{"a":{"//":1,"//":2,"value":1}}}', "accepted"],
  ["comment in object twice", '{"output":{"a":{"value":{"//":1,"//":2}}}}', "refused"],
  [
    "two moved keys",
    '{"moved":{"from":"terraform_data.o","to":"terraform_data.a"},"moved":{"from":"terraform_data.p","to":"terraform_data.b"},"resource":{"terraform_data":{"a":{},"b":{}}}}',
    "accepted",
  ],
  [
    "moved from twice",
    '{"moved":{"from":"terraform_data.o","from":"terraform_data.p","to":"terraform_data.a"},"resource":{"terraform_data":{"a":{}}}}',
    "refused",
  ],
  [
    "two removed keys",
    '{"removed":{"from":"terraform_data.o","lifecycle":{"destroy":false}},"removed":{"from":"terraform_data.p","lifecycle":{"destroy":false}}}',
    "accepted",
  ],
  [
    "two data keys",
    '{"data":{"terraform_remote_state":{"a":{"backend":"local"}}},"data":{"terraform_remote_state":{"b":{"backend":"local"}}}}',
    "accepted",
  ],
  [
    "data name twice",
    '{"data":{"terraform_remote_state":{"a":{"backend":"local"},"a":{"backend":"local"}}}}',
    "refused",
  ],
  ["two provider keys", '{"provider":{"terraform":{}},"provider":{"terraform":{"alias":"b"}}}', "accepted"],
  ["provider twice with alias", '{"provider":{"terraform":{},"terraform":{"alias":"b"}}}', "accepted"],
  ["provider twice", '{"provider":{"terraform":{},"terraform":{}}}', "refused"],
  ["provider alias twice", '{"provider":{"terraform":{"alias":"a","alias":"b"}}}', "refused"],
  ["escaped key twice", '{"output":{"a":{"value":1},"\\u0061":{"value":2}}}', "refused"],
  [
    "precondition twice",
    '{"locals":{"t":true},"resource":{"terraform_data":{"a":{"lifecycle":{"precondition":{"condition":"${local.t}","error_message":"A."},"precondition":{"condition":"${local.t}","error_message":"B."}}}}}}',
    "accepted",
  ],
  [
    "two check keys",
    '{"locals":{"t":true},"check":{"a":{"assert":{"condition":"${local.t}","error_message":"A."}}},"check":{"b":{"assert":{"condition":"${local.t}","error_message":"A."}}}}',
    "accepted",
  ],
  [
    "one check twice",
    '{"locals":{"t":true},"check":{"a":{"assert":{"condition":"${local.t}","error_message":"A."}},"a":{"assert":{"condition":"${local.t}","error_message":"A."}}}}',
    "refused",
  ],
  [
    "assert twice",
    '{"locals":{"t":true},"check":{"a":{"assert":{"condition":"${local.t}","error_message":"A."},"assert":{"condition":"${local.t}","error_message":"A."}}}}',
    "accepted",
  ],
  [
    "output precondition twice",
    '{"locals":{"t":true},"output":{"a":{"value":1,"precondition":{"condition":"${local.t}","error_message":"A."},"precondition":{"condition":"${local.t}","error_message":"A."}}}}',
    "accepted",
  ],
  [
    "check data twice",
    '{"locals":{"t":true},"check":{"a":{"assert":{"condition":"${local.t}","error_message":"A."},"data":{"terraform_remote_state":{"a":{"backend":"local"}}},"data":{"terraform_remote_state":{"b":{"backend":"local"}}}}}}',
    "refused",
  ],
  [
    "lifecycle in a list of two",
    '{"resource":{"terraform_data":{"a":{"lifecycle":[{"prevent_destroy":true},{"create_before_destroy":true}]}}}}',
    "refused",
  ],
  [
    "required_providers in a list of two",
    '{"terraform":[{"required_providers":{}},{"required_providers":{}}]}',
    "refused",
  ],
  [
    "a list and an object",
    '{"locals":[{"a":1},{"b":2}],"locals":{"c":3},"output":{"x":{"value":"${local.a+local.b+local.c}"}}}',
    "accepted",
  ],
  [
    "null and an object",
    '{"locals":null,"locals":{"c":3},"output":{"x":{"value":"${local.c}"}}}',
    "accepted",
  ],
  ["a key in a text", '{"output":{"a":{"value":"\\"value\\": 1, \\"value\\": 2"}}}', "accepted"],
  [
    "an argument in a second type",
    '{"resource":{"terraform_data":{"a":{"input":1}},"terraform_data":{"b":{"input":{"k":1,"k":2}}}}}',
    "refused",
  ],
  [
    "comment of a lifecycle twice",
    '{"resource":{"terraform_data":{"a":{"lifecycle":{"//":1,"//":2,"prevent_destroy":true}}}}}',
    "accepted",
  ],
  [
    "array of resources with a name twice",
    '{"resource":[{"terraform_data":{"a":{}}},{"terraform_data":{"a":{}}}]}',
    "refused",
  ],
];
