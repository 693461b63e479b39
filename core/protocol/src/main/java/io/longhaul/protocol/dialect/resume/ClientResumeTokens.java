// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.resume;

import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.words.Meta;
import tools.jackson.databind.node.ObjectNode;

/** The client's side of resume tokens, for a client that asks for parts. {@link ResumeTokens.OnCalls} reads them. */
public final class ClientResumeTokens extends PlainHandshake {

    private static final Revision REVISION = Generation.SEP_1003.revision();

    public ClientResumeTokens() {
        super("resume", Generation.SEP_1003, REVISION, ResumeTokens.traits(traits(REVISION)), null);
    }

    @Override
    protected Hello offered(Hello said) {
        return said.offering(true, false, false);
    }

    /** Announces that this client takes parts, so that a server gives parts that gives them to no other client. */
    @Override
    protected void declare(ObjectNode capabilities, Capabilities can) {
        capabilities.putObject("experimental").putObject(Meta.RESUME_TOKENS);
    }
}
