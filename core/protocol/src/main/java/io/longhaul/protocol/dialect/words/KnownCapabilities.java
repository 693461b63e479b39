// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The capabilities that clients have declared lately. A client without a session declares its own on each request,
 * always in the same bytes, so that they are read once. Thread-safe.
 */
public final class KnownCapabilities {

    private static final int CLIENTS = 64;
    private static final int LARGEST = 2_048;

    private record Known(Json declared, Capabilities capabilities) {}

    /** By the hash of what was declared; a later client takes the place of an earlier one. */
    private final AtomicReferenceArray<Known> known = new AtomicReferenceArray<>(CLIENTS);

    /** The capabilities in a JSON object, where extensions count. */
    Capabilities of(Json declared) {
        int place = Math.floorMod(declared.hashCode(), CLIENTS);
        var last = known.get(place);
        if (last != null && last.declared().equals(declared)) {
            return last.capabilities();
        }
        var read = ProfileCodec.onRequest(declared);
        if (declared.size() <= LARGEST) {
            known.set(place, new Known(declared, read));
        }
        return read;
    }
}
