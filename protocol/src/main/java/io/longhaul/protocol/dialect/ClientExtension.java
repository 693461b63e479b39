// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.json.Json;
import java.util.Optional;

/** The client's side of an extension, which applies in every generation. Stateless and thread-safe. */
public interface ClientExtension {

    /** Encodes a call of the extension; empty where the call is not of this extension. */
    Optional<Call.Extended> words(Call call);

    /** Reads the result of such a call. */
    Answer read(Call call, Json result) throws UnusableMessageException;
}
