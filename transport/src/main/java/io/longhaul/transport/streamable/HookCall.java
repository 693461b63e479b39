// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import io.longhaul.transport.Site;
import java.io.IOException;
import java.util.Optional;

/**
 * A request to a hook.
 *
 * @param most bytes that its body may have
 * @param rest of its path, behind what all paths of the hook begin with
 */
record HookCall(RequestHead request, HttpPeer peer, int most, String rest) implements Site.Call {

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.fields().first(name));
    }

    /** What is done then takes its own time, and is no longer part of the sending of the request. */
    @Override
    public Optional<byte[]> body() throws IOException {
        var body = Optional.ofNullable(peer.body(request, most));
        if (body.isPresent()) {
            peer.requestRead();
        }
        return body;
    }
}
