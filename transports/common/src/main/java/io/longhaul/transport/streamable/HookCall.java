// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import io.longhaul.transport.Site;
import io.longhaul.transport.streamable.request.HttpPeer;
import io.longhaul.transport.streamable.request.RequestHead;
import java.io.IOException;
import java.util.Optional;

/**
 * A request to a hook.
 *
 * @param most the most bytes of its body
 * @param rest the rest of its path, after the prefix of the hook
 */
record HookCall(RequestHead request, HttpPeer peer, int most, String rest) implements Site.Call {

    @Override
    public String query() {
        return request.query();
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.fields().single(name));
    }

    /** Reads the body. The work after that is not limited by the time for a request to arrive. */
    @Override
    public Optional<byte[]> body() throws IOException {
        var body = Optional.ofNullable(peer.body(request, most));
        if (body.isPresent()) {
            peer.requestRead();
        }
        return body;
    }
}
