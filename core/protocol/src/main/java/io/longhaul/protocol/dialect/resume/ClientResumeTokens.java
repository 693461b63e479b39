// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.resume;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.base.ForwardingClientDialect;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.JsonTree;
import tools.jackson.databind.node.ObjectNode;

/** The client's side of resume tokens, for a client that asks for parts. {@link ClientParts} reads them. */
public final class ClientResumeTokens extends ForwardingClientDialect {

    public ClientResumeTokens() {
        super(
                Generation.SEP_1003,
                Generation.V2025_06_18,
                ResumeTokens::traits,
                said -> said.offering(true, false, false),
                null);
    }

    /** Announces that this client takes parts, so that a server gives parts that gives them to no other client. */
    @Override
    public Outgoing write(Call call, ClientProfile me) {
        var plain = super.write(call, me);
        if (!(call instanceof Call.Initialize)) {
            return plain;
        }
        var params = (ObjectNode) JsonTree.read(plain.params());
        params.withObject("/capabilities").putObject("experimental").putObject(Meta.RESUME_TOKENS);
        return new Outgoing(plain.method(), JsonTree.write(params), plain.headers());
    }
}
