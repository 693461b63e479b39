// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientException;
import io.longhaul.gateway.caller.CallerClient;
import io.longhaul.gateway.caller.CallerRefusedException;
import io.longhaul.gateway.caller.LoginAsk;
import io.longhaul.requestor.Registration;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The use of an upstream by one call, until closed: with a client of its caller where calls have its rights. */
public record LinkUse(Link link, @Nullable CallerClient own, Registration use) implements Registration {

    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

    /** Checks that the caller may use the upstream, and asks for a login where that is missing. */
    public void admit(LoginAsk ask) throws CallerRefusedException, InterruptedException {
        if (own != null) {
            own.admit(ask).ifPresent(link::loggedIn);
        }
    }

    /** The client of an upstream that was reached at some time, as {@link Link#client}. */
    public McpClient client() throws UpstreamAwayException, InterruptedException {
        if (own == null) {
            return link.client();
        }
        try {
            return own.client();
        } catch (McpClientException e) {
            throw new UpstreamAwayException(link.upstream());
        }
    }

    /** The client of an upstream; waits for an upstream that was never reached, and for a token of the caller. */
    public McpClient awaitClient() throws InterruptedException {
        if (own == null) {
            return link.awaitClient();
        }
        while (true) {
            try {
                return own.client();
            } catch (McpClientException e) {
                link.look();
                Thread.sleep(BETWEEN_TRIES);
            }
        }
    }

    /** Why a call that has begun does not go on now, for the caller. */
    public String trouble() {
        return Optional.ofNullable(own)
                .flatMap(CallerClient::trouble)
                .orElseGet(() -> "The server '" + link.upstream().name()
                        + "' is out of reach; the call goes on when it is back.");
    }

    @Override
    public void close() {
        use.close();
    }
}
