// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal.request;

import io.temporal.api.common.v1.Payload;
import java.util.List;
import java.util.function.UnaryOperator;

/** Encodes what a workflow gets and decodes what it gives, as its workers do, so that Temporal cannot read it. */
public interface WorkflowCodec {

    /** Leaves everything as it is. */
    WorkflowCodec NONE = of(UnaryOperator.identity(), UnaryOperator.identity());

    List<Payload> encode(List<Payload> plain) throws CodecException, InterruptedException;

    List<Payload> decode(List<Payload> encoded) throws CodecException, InterruptedException;

    /** A codec of two functions, each of which throws where it cannot do its work. */
    static WorkflowCodec of(UnaryOperator<List<Payload>> encode, UnaryOperator<List<Payload>> decode) {
        return new WorkflowCodec() {
            @Override
            public List<Payload> encode(List<Payload> plain) throws CodecException {
                return applied(encode, plain);
            }

            @Override
            public List<Payload> decode(List<Payload> encoded) throws CodecException {
                return applied(decode, encoded);
            }
        };
    }

    private static List<Payload> applied(UnaryOperator<List<Payload>> coding, List<Payload> payloads)
            throws CodecException {
        try {
            return coding.apply(payloads);
        } catch (RuntimeException e) {
            throw new CodecException("the codec has failed", false, e);
        }
    }

    /** A codec has not done its work. Its message is for the operator. */
    final class CodecException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean isPassing;

        /** @param isPassing whether it may do the same work later */
        CodecException(String message, boolean isPassing, Throwable cause) {
            super(message, cause);
            this.isPassing = isPassing;
        }

        boolean isPassing() {
            return isPassing;
        }
    }
}
