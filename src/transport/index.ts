// gRPC over Node's HTTP/2, for `plugin`. It knows no Terraform message.

export type { Procedure, Procedures } from "./call";
export { GrpcServer } from "./grpc-server";
export { listen } from "./socket";
