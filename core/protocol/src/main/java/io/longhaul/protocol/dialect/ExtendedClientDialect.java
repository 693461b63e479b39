// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RpcError;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A client dialect with an extension; the dialect of the generation encodes and decodes everything else. */
record ExtendedClientDialect(ClientDialect own, ClientExtension extension) implements ClientDialect {

    @Override
    public Outgoing encode(Call call, ClientProfile me) {
        return extension.encode(call, me, own);
    }

    @Override
    public CallResponse decode(Call call, Json result) throws UnusableMessageException {
        return extension.decode(call, result, own);
    }

    @Override
    public Generation generation() {
        return own.generation();
    }

    @Override
    public Traits traits() {
        return own.traits();
    }

    @Override
    public Map<String, String> headers() {
        return own.headers();
    }

    @Override
    public Hello hello(Json result) throws UnusableMessageException {
        return own.hello(result);
    }

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        return own.notice(notification);
    }

    @Override
    public Optional<String> relatedTask(Json params) {
        return own.relatedTask(params);
    }

    @Override
    public Json reply(CallResponse.Question question, Json result) {
        return own.reply(question, result);
    }

    @Override
    public Optional<Dialect> receiving() {
        return own.receiving();
    }

    @Override
    public Optional<Call.TaskWish.Terms> wanted(JsonRpcMessage.Request question) throws UnusableMessageException {
        return own.wanted(question);
    }

    @Override
    public JsonRpcMessage.Request asking(JsonRpcMessage.Request question, Call.TaskWish.Terms wish) {
        return own.asking(question, wish);
    }

    @Override
    public Optional<TaskView> hosted(Json result) throws UnusableMessageException {
        return own.hosted(result);
    }

    @Override
    public ToolTerms terms(Json definition) {
        return own.terms(definition);
    }

    @Override
    public Map<String, String> mirrored(ToolTerms.Usable terms, Json arguments) {
        return own.mirrored(terms, arguments);
    }

    @Override
    public Optional<List<String>> supported(RpcError error) {
        return own.supported(error);
    }
}
