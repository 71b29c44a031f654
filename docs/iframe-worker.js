// Search on pages opened from disk: browsers do not start workers there. This class runs the search worker in a
// hidden frame instead. Pages from a web server keep their real workers.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.url = new URL(url, location.href).href;
      this.waiting = []; // messages sent before the worker is ready
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<!doctype html><title>search</title>";
      this.frame.onload = () => this.start(this.frame.contentWindow);
      document.body.append(this.frame);
    }

    start(inside) {
      // The worker answers with postMessage; its answers are events of this object.
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = this.url;
      script.onload = () => {
        this.inside = inside;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      };
      inside.document.head.append(script);
    }

    postMessage(data) {
      if (this.inside) this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }));
      else this.waiting.push(data);
    }

    terminate() {
      this.frame.remove();
    }
  };
}
