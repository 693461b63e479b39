// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.ClientProfile.SamplingExtras;
import io.longhaul.protocol.call.ClientProfile.Takes;
import io.longhaul.protocol.dialect.words.ProfileCodec;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a requestor can be asked.
 *
 * @param capabilities what the requestor declared
 * @param byRequest    whether questions reach the requestor as requests of the server
 */
public record Asking(Capabilities capabilities, boolean byRequest) {

    /**
     * Refuses a call whose questions its requestor did not declare to answer: no answer would ever come.
     *
     * @param refused makes the exception with which the call ends
     */
    public void check(Collection<Question> questions, Function<RpcError, ? extends RuntimeException> refused) {
        for (Question question : questions) {
            refusal(question).map(refused).ifPresent(end -> {
                throw end;
            });
        }
    }

    /** What a requestor can be asked that answers in its own time, by the tasks of the server: what pages show, too. */
    public Asking later() {
        var can = capabilities;
        return new Asking(
                new Capabilities(true, true, can.sampling(), can.roots(), can.takes(), can.more()), byRequest);
    }

    /** Writes capabilities into a row, without what a client takes. */
    public static void write(Capabilities can, JsonWriter out) {
        out.member("form", can.form()).member("url", can.url());
        out.member("sampling", can.sampling()).member("roots", can.roots());
        out.member("samplingTools", can.more().tools());
        out.member("samplingContext", can.more().context());
    }

    /** Reads what {@link #write} wrote. */
    public static Capabilities read(Params in, Takes takes) {
        var more = new SamplingExtras(in.flag("samplingTools"), in.flag("samplingContext"));
        return new Capabilities(in.flag("form"), in.flag("url"), in.flag("sampling"), in.flag("roots"), takes, more);
    }

    /** The error for a call with this question; empty where the requestor can be asked. */
    private Optional<RpcError> refusal(Question question) {
        Capabilities missing = QuestionKinds.missing(question, capabilities);
        if (missing == null) {
            return Optional.empty();
        }
        String message = "The request has to ask its caller (" + question.method()
                + "), and the caller did not declare that it can be asked that.";
        if (byRequest) {
            return Optional.of(new RpcError(RpcError.INVALID_PARAMS, message));
        }
        var data = JsonWriter.object();
        data.member("requiredCapabilities", ProfileCodec.required(missing));
        return Optional.of(new RpcError(RpcError.MISSING_CLIENT_CAPABILITY, message, data.end()));
    }
}
