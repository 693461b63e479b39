package io.longhaul.server;

/** The client could not answer a question: it answered with an error, or did not say that it takes such questions. */
public final class ClientException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int code;

    /**
     * @param code    the JSON-RPC error code
     * @param message what the client said
     */
    public ClientException(int code, String message) {
        super(message);
        this.code = code;
    }

    public int code() {
        return code;
    }
}
