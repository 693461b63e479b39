// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.rights;

import io.longhaul.authorization.OAuth;
import io.longhaul.authorization.TokenStore;
import io.longhaul.authorization.WebLogin;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.protocol.transport.client.ForwardingAuthorizer;
import io.longhaul.protocol.transport.client.TransportException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Authorizes by the tokens of a kept login, and forgets them when they are over. Thread-safe. */
final class KeptLogin extends ForwardingAuthorizer {

    private static final int UNAUTHORIZED = 401;

    private final TokenStore tokens;
    private final InstantSource clock;
    private final String name;

    KeptLogin(TokenStore tokens, WebLogin.@Nullable Client client, URI server, InstantSource clock) {
        super((client == null ? OAuth.kept(tokens) : OAuth.kept(tokens).registered(client.id(), client.secret()))
                .at(server));
        this.tokens = tokens;
        this.clock = clock;
        this.name = WebLogin.tokensOf(server);
    }

    private Optional<StoredTokens> kept() {
        return tokens.load(name).flatMap(StoredTokens::parse);
    }

    @Override
    public Map<String, String> headers(String method) throws TransportException {
        boolean isGood = kept().filter(one -> one.refresh() != null || !one.isExpired(clock.instant()))
                .isPresent();
        if (!isGood) {
            throw new TransportException(TransportException.Kind.UNSUPPORTED, "the caller has no good login there");
        }
        return super.headers(method);
    }

    @Override
    public boolean renew(Refusal refusal) throws TransportException {
        try {
            boolean isRenewed = super.renew(refusal);
            if (!isRenewed) {
                forget(refusal);
            }
            return isRenewed;
        } catch (TransportException e) {
            if (!e.kind().isPassing()) {
                forget(refusal);
            }
            throw e;
        }
    }

    private void forget(Refusal refusal) {
        if (refusal.status() == UNAUTHORIZED
                && kept().filter(one -> refusal.sent().containsValue(one.authorization()))
                        .isPresent()) {
            tokens.remove(name);
        }
    }
}
