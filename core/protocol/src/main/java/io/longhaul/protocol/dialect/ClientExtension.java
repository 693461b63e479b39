// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.json.Json;

/** The client's side of an extension, which applies in every generation. Stateless and thread-safe. */
public interface ClientExtension {

    /** Encodes a call, which the generation {@code own} encodes where it is not of this extension. */
    Outgoing encode(Call call, ClientProfile me, ClientDialect own);

    /** Reads the result of a call, which the generation {@code own} reads where it is not of this extension. */
    CallResponse decode(Call call, Json result, ClientDialect own) throws UnusableMessageException;
}
