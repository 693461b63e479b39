// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Riding;
import io.longhaul.protocol.call.CallResponse.ServerProfile;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.dialect.base.ForwardingDialect;
import io.longhaul.protocol.rpc.RequestId;
import java.util.List;

/** The dialect of a version, which also announces the overlays of that version. Thread-safe. */
final class AnnouncingDialect extends ForwardingDialect {

    private final Revision version;
    private final List<Overlay> overlays;

    AnnouncingDialect(Dialect words, Revision version, List<Overlay> overlays) {
        super(words.name(), words.traits(), words);
        this.version = version;
        this.overlays = List.copyOf(overlays);
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        return super.encode(
                id,
                call,
                switch (response) {
                    case CallResponse.Opened opened ->
                        new CallResponse.Opened(opened.version(), announce(opened.server()));
                    case CallResponse.Discovered discovered ->
                        new CallResponse.Discovered(announce(discovered.server()));
                    case CallResponse.Tools tools ->
                        new CallResponse.Tools(
                                tools.tools().stream().map(this::listed).toList(), tools.nextCursor(), tools.fresh());
                    default -> response;
                });
    }

    private ServerProfile announce(ServerProfile server) {
        return server.with(overlays.stream()
                .map(overlay -> overlay.announced(server, version))
                .reduce(Riding.NONE, Riding::and));
    }

    private ToolInfo listed(ToolInfo tool) {
        ToolInfo seen = tool;
        for (Overlay overlay : overlays) {
            seen = overlay.listed(seen);
        }
        return seen;
    }
}
