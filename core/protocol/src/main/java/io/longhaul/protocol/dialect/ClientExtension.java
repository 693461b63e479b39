// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.json.Json;
import java.util.Optional;

/** The client's side of an extension, which applies in every generation. Stateless and thread-safe. */
public interface ClientExtension {

    /** Encodes a call with the words of the generation {@code own}; empty where the call is not of this extension. */
    Optional<Outgoing> encode(Call call, ClientProfile me, ClientDialect own);

    /** Reads the result of a call with {@code own}; empty where the call is not of this extension. */
    Optional<CallResponse> decode(Call call, Json result, ClientDialect own) throws UnusableMessageException;
}
