import { list, listOf, NUMBER, numOf, STRING, string, textOf, toBigInt, type Value } from "../../values";
import { FunctionError, type FunctionTable, fn } from "./function";
import { integerOf } from "./integers";
import { formatAddress, formatNetwork, type Network, parseNetwork } from "./ip-address";

function wholeNumber(value: Value, argument: number): bigint {
  const whole = toBigInt(numOf(value));
  if (whole === undefined) throw new FunctionError("a whole number is required", argument);
  return whole;
}

/** The address of a host; a negative number counts from the end. */
function host(network: Network, index: bigint): string {
  const size = 1n << BigInt(network.bits - network.prefix);
  const offset = index < 0n ? size + index : index;
  if (offset < 0n || offset >= size) {
    throw new FunctionError(`the network has ${size} addresses, so there is no number ${index}`, 1);
  }
  return formatAddress(network.address + offset, network.bits);
}

function subnet(network: Network, newBits: number, index: bigint): string {
  const prefix = network.prefix + newBits;
  if (newBits < 0 || prefix > network.bits) {
    throw new FunctionError(`a prefix of ${network.prefix} bits cannot be extended by ${newBits}`, 1);
  }
  if (index < 0n || index >= 1n << BigInt(newBits)) {
    throw new FunctionError(
      `${newBits} bits number ${1n << BigInt(newBits)} networks, so there is no number ${index}`,
      2,
    );
  }
  const address = network.address + (index << BigInt(network.bits - prefix));
  return formatNetwork({ ...network, address, prefix });
}

const MOST_NEW_BITS = 32;

/** Networks one after another, each beginning at the next address that fits its size. */
function subnets(network: Network, lengths: readonly Value[]): string[] {
  const end = network.address + (1n << BigInt(network.bits - network.prefix));
  let next = network.address;
  return lengths.map((length, index) => {
    const newBits = integerOf(length, index + 1);
    const prefix = network.prefix + newBits;
    if (newBits < 1 || newBits > MOST_NEW_BITS || prefix > network.bits) {
      throw new FunctionError(
        `a prefix of ${network.prefix} bits cannot be extended by ${newBits}`,
        index + 1,
      );
    }
    const size = 1n << BigInt(network.bits - prefix);
    const address = ((next + size - 1n) / size) * size;
    next = address + size;
    if (next > end)
      throw new FunctionError(`no room is left for a network with a prefix of ${prefix} bits`, index + 1);
    return formatNetwork({ ...network, address, prefix });
  });
}

const NETWORK_FUNCTIONS: FunctionTable = {
  cidrhost: fn({ prefix: STRING, hostnum: NUMBER }, STRING, ([prefix, index]) =>
    string(host(parseNetwork(textOf(prefix)), wholeNumber(index, 1))),
  ),
  cidrnetmask: fn({ prefix: STRING }, STRING, ([given]) => {
    const { bits, prefix } = parseNetwork(textOf(given));
    if (bits === 128) throw new FunctionError("IPv6 networks have no netmask", 0);
    return string(formatAddress((1n << 32n) - (1n << BigInt(32 - prefix)), 32));
  }),
  cidrsubnet: fn({ prefix: STRING, newbits: NUMBER, netnum: NUMBER }, STRING, ([prefix, newBits, index]) =>
    string(subnet(parseNetwork(textOf(prefix)), integerOf(newBits, 1), wholeNumber(index, 2))),
  ),
  cidrsubnets: fn(
    { prefix: STRING },
    listOf(STRING),
    ([prefix, ...lengths]) => list(subnets(parseNetwork(textOf(prefix)), lengths).map(string), STRING),
    { rest: { newbits: NUMBER } },
  ),
};

export = NETWORK_FUNCTIONS;
