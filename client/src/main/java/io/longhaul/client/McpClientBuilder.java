package io.longhaul.client;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.dialect.Generation;
import org.jspecify.annotations.Nullable;

/** How to connect to a server. Not thread-safe. */
public final class McpClientBuilder {

    private final ServerAddress address;
    private String name = "longhaul";
    private String version = "0.1";
    private @Nullable Generation generation;
    private QuestionHandler answers = QuestionHandler.NONE;
    private Timeouts timeouts = Timeouts.DEFAULT;
    private WireLimits limits = WireLimits.DEFAULT;

    McpClientBuilder(ServerAddress address) {
        this.address = address;
    }

    /** How the client calls itself. */
    public McpClientBuilder name(String clientName, String clientVersion) {
        this.name = clientName;
        this.version = clientVersion;
        return this;
    }

    /** Speaks only this generation; by default the newest that the server knows. */
    public McpClientBuilder generation(Generation only) {
        this.generation = only;
        return this;
    }

    /** Who answers the server's questions; by default nobody. */
    public McpClientBuilder answers(QuestionHandler handler) {
        this.answers = handler;
        return this;
    }

    public McpClientBuilder timeouts(Timeouts patience) {
        this.timeouts = patience;
        return this;
    }

    /** What the server may send at most. */
    public McpClientBuilder limits(WireLimits wireLimits) {
        this.limits = wireLimits;
        return this;
    }

    /**
     * Connects, and finds out what the server speaks.
     *
     * @throws McpException when there is no server, or none that we understand
     */
    public McpClient connect() {
        throw new UnsupportedByServerException("This build of Longhaul has no client yet: " + address + name + version
                + generation + answers + timeouts + limits);
    }
}
