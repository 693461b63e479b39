package io.longhaul.requestor.exchange;

import io.longhaul.protocol.call.Notice;

/** Is told what happens to one request until its response is there. Must not block. */
public interface RequestListener {

    /** Listens to nothing. */
    RequestListener NONE = new RequestListener() {
        @Override
        public void noticed(Notice notice) {}

        @Override
        public void troubled(String sentence) {}
    };

    /** The server sent a notification on the stream of this request. */
    void noticed(Notice notice);

    /** Something is in the way, and the request goes on; one sentence for the user. */
    void troubled(String sentence);
}
